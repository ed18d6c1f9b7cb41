import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs a command in a shell. Asynchronous, because some nodes run in this process. */
export async function runInShell(command: string, rpcUrl: string): Promise<string> {
  const child = spawn('sh', { env: { ...process.env, RPC_URL: rpcUrl } })
  // On stdin, because a long command does not fit into an argument.
  child.stdin.end(command)
  return await text(child.stdout)
}
