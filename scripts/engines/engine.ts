/** What a test does with a browser engine, and how the program of one is started. */
import { type ChildProcess, spawn } from 'node:child_process'

/** What `performActions` of WebDriver and of WebDriver BiDi both take. */
export type InputActions = readonly Readonly<Record<string, unknown>>[]

export interface Engine {
  /** Its name and version. */
  readonly name: string
  /** Loads an address, or the open page again, and resolves when it is loaded. */
  readonly open: (address: string) => Promise<void>
  readonly reload: () => Promise<void>
  /** The value of an expression in the page: anything JSON can hold, or a promise of it. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly act: (actions: InputActions) => Promise<void>
  readonly screenshot: () => Promise<Buffer>
  /** The errors the engine has reported so far. */
  readonly errors: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** An engine that cannot run here: the test is skipped for the reason in the message. */
export class NotHereError extends Error {}

const MILLISECONDS_TO_START = 60_000

/** Starts a program that runs until it is stopped. */
export function startProgram(
  path: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Program {
  const { env = process.env } = options
  // A group of its own, so that what it starts ends with it.
  const child = spawn(path, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      lines.push(error.message)
      resolve()
    })
    child.once('close', () => resolve())
  })
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      for (const look of waiting) look()
    })
  }
  const stop = async () => {
    signal(child, 'SIGTERM')
    const timer = setTimeout(() => signal(child, 'SIGKILL'), 5_000)
    await ended
    clearTimeout(timer)
  }
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const end = (why: string) =>
        reject(new NotHereError([`${path} ${why}`, ...lines.slice(-3)].join(' / ')))
      const timer = setTimeout(end, MILLISECONDS_TO_START, 'did not start in time')
      const look = () => {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
        if (found == null) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found[1] ?? found[0])
      }
      waiting.add(look)
      look()
      ended.then(() => end('ended'))
    })
  return { says, stop }
}

export interface Program {
  /** Resolves with the first group of a pattern once a line of the output matches it. */
  readonly says: (pattern: RegExp) => Promise<string>
  readonly stop: () => Promise<void>
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch {
    // It has ended.
  }
}
