import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The repository's folder, independent of the current folder. */
export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url))

const graceMilliseconds = 3_000
const interruptSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const isWindows = process.platform === 'win32'

/**
 * Runs a command without a shell and without stdin; resolves with its exit status, never rejects.
 * The output of a quiet command is returned, not shown; `say` receives a message every 15 s.
 * At its time limit, or if this process is interrupted, the command and its child processes are ended.
 */
export function runCommand(command, args, options = {}) {
  const { cwd = repositoryRoot, env = process.env, isQuiet = false, timeLimitSeconds } = options
  const { say = console.log, heartbeatMilliseconds = 15_000 } = options
  return new Promise((resolve) => {
    // A group of its own, so that a signal reaches what the command started as well.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: !isWindows,
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    })
    const startedAt = Date.now()
    const timers = []
    let output = ''
    let isTimedOut = false
    let interruptedBy = null

    const interrupt = (signal) => {
      interruptedBy = signal
      signalGroup(child, signal)
      // npm goes on for a while, and a second install would meet it in node_modules.
      timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds))
    }
    for (const signal of interruptSignals) process.on(signal, interrupt)

    const finish = (status) => {
      for (const timer of timers) clearTimeout(timer)
      for (const signal of interruptSignals) process.off(signal, interrupt)
      if (interruptedBy !== null) process.exit(128 + constants.signals[interruptedBy])
      resolve({ status, output, isTimedOut })
    }
    const collect = (chunk) => {
      output += chunk
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('close', (status, signal) =>
      finish(signal === null ? status : 128 + constants.signals[signal]),
    )

    if (isQuiet) {
      const report = () => say(`  still working, ${Math.round((Date.now() - startedAt) / 1000)} s`)
      timers.push(setInterval(report, heartbeatMilliseconds))
    }
    if (timeLimitSeconds !== undefined) {
      const stop = () => {
        isTimedOut = true
        signalGroup(child, 'SIGKILL')
      }
      timers.push(setTimeout(stop, timeLimitSeconds * 1000))
    }
  })
}

function signalGroup(child, signal) {
  try {
    if (isWindows || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // Already gone.
  }
}

/** The last lines of a command's output, for a failure message. */
export function lastLines(output, count = 40) {
  return indent(output.trimEnd().split('\n').slice(-count))
}

export function indent(lines) {
  return lines.map((line) => `  ${line}`).join('\n')
}
