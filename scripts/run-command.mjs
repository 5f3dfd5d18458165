import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
 * `processorSeconds` is what the command used, with what it started and waited for; undefined where that is not known.
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
    let used

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
      resolve({ status, output, isTimedOut, processorSeconds: used })
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
    child.on('exit', () => {
      used = processorSecondsOfLastChild()
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

let secondsOfChildren = 0

/** Processor time of the child that ended last: the system adds it to this process when it ends. */
function processorSecondsOfLastChild() {
  try {
    // What follows the name, which can have spaces; the 16th and 17th fields of the line are in hundredths of a second.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const before = secondsOfChildren
    secondsOfChildren = (Number(fields[13]) + Number(fields[14])) / 100
    return secondsOfChildren - before
  } catch {
    return undefined
  }
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
