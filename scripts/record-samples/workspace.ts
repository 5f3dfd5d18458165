import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A temporary folder that a recording shows as `/workspace`. It alone decides what a sample shows of the machine:
 * outputs name `/workspace` in place of the folder and `/usr/local/bin` in place of Node's folder, and commands get
 * five environment variables (UTC, C locale, no colours, the folder as home). Outputs are not changed otherwise.
 */
export interface Workspace {
  readonly root: string
  path(shown: string): string
  shown(text: string): string
  run(command: string, timeoutSeconds: number): Promise<CommandOutput>
  write(path: string, text: string): Promise<void>
  remove(): Promise<void>
}

export interface CommandOutput {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly hasTimedOut: boolean
}

const projects = fileURLToPath(new URL('./projects/', import.meta.url))
const nodeFolder = dirname(process.execPath)

/** A fresh folder with the files of `projects/<project>`; empty when no project is named. */
export async function createWorkspace(project?: string): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'recording-')))
  if (project !== undefined) await cp(join(projects, project), root, { recursive: true })

  const path = (shown: string) => join(root, shown.replace(/^\/workspace(?=\/|$)/, ''))
  const shown = (text: string) =>
    text.replaceAll(root, '/workspace').replaceAll(`${nodeFolder}/`, '/usr/local/bin/')

  return {
    root,
    path,
    shown,
    async run(command, timeoutSeconds) {
      const mapped = command.replaceAll('/workspace', root)
      const output = await runShell(mapped, root, timeoutSeconds)
      return { ...output, stdout: shown(output.stdout), stderr: shown(output.stderr) }
    },
    async write(target, text) {
      await mkdir(dirname(path(target)), { recursive: true })
      await writeFile(path(target), text)
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

function runShell(command: string, root: string, timeoutSeconds: number): Promise<CommandOutput> {
  return new Promise((resolve, reject) => {
    // Detached: a group of its own, so that a timeout ends what the shell has started as well.
    const child = spawn('/bin/bash', ['-c', command], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(root),
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    let hasTimedOut = false
    const timer = setTimeout(() => {
      hasTimedOut = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, timeoutSeconds * 1000)
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(timer)
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
        hasTimedOut,
      })
    })
  })
}

function environment(root: string): NodeJS.ProcessEnv {
  const variables: Record<string, string> = {
    PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`,
    HOME: root,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
  }
  // Next declares NODE_ENV as required; a recorded command is to see none.
  return variables as NodeJS.ProcessEnv
}
