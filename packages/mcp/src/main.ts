#!/usr/bin/env node
/** `npx @sluice/mcp`: MCP over stdio, for the service at SLUICE_URL (default http://127.0.0.1:8080). */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '@sluice/sdk'
import { createServer } from './createServer.js'

const client = createClient({ baseUrl: process.env['SLUICE_URL'] ?? 'http://127.0.0.1:8080' })
serveStdio(() => createServer(client))
