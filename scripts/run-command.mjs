import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The repository's folder, whatever the current one is. */
export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url))

const heartbeatMilliseconds = 15_000
const isWindows = process.platform === 'win32'

/**
 * Runs a command without a shell and without stdin; resolves with its exit status, never rejects.
 * A quiet command's output is kept and returned instead of shown, with a line every 15 s.
 * A command past its time limit is ended together with everything it started.
 */
export function runCommand(command, args, options = {}) {
  const { cwd = repositoryRoot, env = process.env, isQuiet = false, timeLimitSeconds } = options
  const { say = console.log } = options
  const hasTimeLimit = timeLimitSeconds !== undefined
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      // A group of its own, so that the time limit reaches grandchildren too.
      detached: hasTimeLimit && !isWindows,
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    })
    const startedAt = Date.now()
    let output = ''
    let isTimedOut = false
    const end = (signal) => {
      try {
        if (hasTimeLimit && !isWindows && child.pid !== undefined) process.kill(-child.pid, signal)
        else child.kill(signal)
      } catch {
        // Already gone.
      }
    }
    const heartbeat = isQuiet
      ? setInterval(() => {
          say(`  still working, ${Math.round((Date.now() - startedAt) / 1000)} s`)
        }, heartbeatMilliseconds)
      : undefined
    const limit = hasTimeLimit
      ? setTimeout(() => {
          isTimedOut = true
          end('SIGKILL')
        }, timeLimitSeconds * 1000)
      : undefined
    const interrupt = (signal) => {
      end(signal)
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', interrupt)
    const finish = (status) => {
      clearInterval(heartbeat)
      clearTimeout(limit)
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
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
    child.on('close', (status, signal) => finish(status ?? (signal === null ? 1 : 128)))
  })
}

/** The last lines of a command's output, for a failure message. */
export function lastLines(output, count = 40) {
  return indent(output.trimEnd().split('\n').slice(-count))
}

export function indent(lines) {
  return lines.map((line) => `  ${line}`).join('\n')
}
