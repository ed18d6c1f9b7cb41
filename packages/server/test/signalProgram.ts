import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = ['--conditions=development', '--import', 'tsx', 'packages/server/src/main.ts']

/** How the program is started: from source, from the build, or from the build through npm, which forwards signals. */
const commands = {
  source: [process.execPath, ...source],
  built: [process.execPath, 'tools/serve.mjs'],
  npm: ['npm', 'run', '--silent', 'serve'],
} as const

/** Settings for one chain on a node that mines no blocks, with limits so high that no request of a run is refused. */
export function patientEnv(options: { deployments: string; nodeUrl: string; workers: number }) {
  return {
    DEPLOYMENTS: options.deployments,
    RPC_8453: options.nodeUrl,
    WORKERS: `${options.workers}`,
    MAX_BLOCK_AGE_MS: 'off',
    MAX_FLIGHTS: '1000',
    MAX_LOOP_DELAY_MS: '0',
  }
}

export type Told = {
  readonly atMs: number
  readonly signal: NodeJS.Signals
  /**
   * Whether the signal goes to the whole process group, as from terminals and service managers, or only to the first
   * process.
   */
  readonly to: 'group' | 'process'
}

export type SignalRun = {
  /** Requests sent before the first signal, and those of them without a response. */
  readonly asked: number
  readonly lost: number
  /** Responses that are not quotes: on a busy machine a node may take too long. */
  readonly failed: number
  readonly exitCode: number | null
}

/**
 * Runs the program in its own process group, sends requests continuously, and sends signals at the given times, in
 * milliseconds after the first request.
 *
 * @param paths Must be slow, so that requests are pending when a signal arrives.
 */
export async function signalProgram({
  by = 'source',
  env,
  paths,
  signals,
}: {
  by?: keyof typeof commands
  env: Readonly<Record<string, string | undefined>>
  paths: (index: number) => string
  signals: readonly Told[]
}): Promise<SignalRun> {
  const [command, ...args] = commands[by]
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exit = once(child, 'exit') as Promise<[number | null]>
  const agent = new Agent({ keepAlive: true })
  try {
    const url = await listening(child.stdout!, Number(env['WORKERS'] ?? 1))
    // The first response takes longest, because all code is compiled for it.
    await statusOf(url + paths(0), agent)
    const asked = askUntilTold(url, paths, agent)
    let passedMs = 0
    for (const { atMs, signal, to } of [...signals].sort((a, b) => a.atMs - b.atMs)) {
      await sleep(atMs - passedMs)
      passedMs = atMs
      asked.stop()
      if (child.exitCode !== null || child.signalCode !== null) break
      process.kill(to === 'group' ? -child.pid! : child.pid!, signal)
    }
    const statuses = await Promise.all(asked.answers)
    const [exitCode] = await exit
    return {
      asked: statuses.length,
      lost: statuses.filter((status) => status === 0).length,
      failed: statuses.filter((status) => status !== 200 && status !== 0).length,
      exitCode,
    }
  } finally {
    agent.destroy()
    endGroup(child.pid!)
  }
}

/** The process that started the program may have ended before it. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes have ended.
  }
}

/** Waits until all processes listen, and returns the URL. */
async function listening(output: NodeJS.ReadableStream, processes: number): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    const urls = [...text.matchAll(/Sluice is listening on (\S+)/g)]
    if (urls.length >= processes) {
      output.resume()
      return urls[0]![1]!
    }
  }
  throw new Error('The program ended before it listened.')
}

const everyMs = 10

/** Alternates between new and kept connections. */
function askUntilTold(url: string, paths: (index: number) => string, agent: Agent) {
  const answers: Promise<number>[] = []
  const timer = setInterval(() => {
    const index = answers.length + 1
    answers.push(statusOf(url + paths(index), index % 2 === 0 ? agent : undefined))
  }, everyMs)
  return { answers, stop: () => clearInterval(timer) }
}

/** Status 0 if there is no response. */
function statusOf(url: string, agent: Agent | undefined): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: agent ?? false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', () => resolve(0))
    })
    sent.on('error', () => resolve(0))
    sent.end()
  })
}
