import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs a command in the reader's shell. Not synchronously: some nodes run in this very process. */
export async function runInShell(command: string, rpcUrl: string): Promise<string> {
  const child = spawn('sh', { env: { ...process.env, RPC_URL: rpcUrl } })
  // A long one does not fit into an argument.
  child.stdin.end(command)
  return await text(child.stdout)
}
