import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandOutput, Workspace } from './workspace'

/** A tool's outcome, before a dialect turns it into message content. */
export type Outcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly output: CommandOutput; readonly timeoutSeconds: number }
  | { readonly kind: 'failure'; readonly message: string }

/** One tool call of a plan. */
export interface ToolRequest {
  readonly name: ToolName
  readonly arguments: Readonly<Record<string, string | number | boolean>>
}

export type ToolName =
  | 'list_files'
  | 'read_file'
  | 'grep'
  | 'edit_file'
  | 'write_file'
  | 'run_command'

export const list = (path = '.'): ToolRequest => ({ name: 'list_files', arguments: { path } })

export const read = (path: string, startLine?: number, endLine?: number): ToolRequest => ({
  name: 'read_file',
  arguments: {
    path,
    ...(startLine === undefined ? {} : { start_line: startLine }),
    ...(endLine === undefined ? {} : { end_line: endLine }),
  },
})

export const grep = (pattern: string, path = '.'): ToolRequest => ({
  name: 'grep',
  arguments: { pattern, path },
})

export const edit = (path: string, oldText: string, newText: string): ToolRequest => ({
  name: 'edit_file',
  arguments: { path, old_text: oldText, new_text: newText },
})

export const write = (path: string, content: string): ToolRequest => ({
  name: 'write_file',
  arguments: { path, content },
})

export const run = (command: string, timeoutSeconds?: number): ToolRequest => ({
  name: 'run_command',
  arguments: {
    command,
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
  },
})

/** Runs one call in the workspace; an exception of the tool becomes a failure with its message. */
export async function execute(request: ToolRequest, workspace: Workspace): Promise<Outcome> {
  try {
    return await executors[request.name](new Arguments(request), workspace)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failure', message: workspace.shown(message) }
  }
}

class Arguments {
  private readonly values: ToolRequest['arguments']
  constructor(private readonly request: ToolRequest) {
    this.values = request.arguments
  }
  text(key: string): string {
    const value = this.values[key]
    if (typeof value !== 'string')
      throw new TypeError(`${this.request.name}: ${key} is not a string`)
    return value
  }
  number(key: string, fallback: number): number {
    const value = this.values[key] ?? fallback
    if (typeof value !== 'number')
      throw new TypeError(`${this.request.name}: ${key} is not a number`)
    return value
  }
}

type Executor = (values: Arguments, workspace: Workspace) => Promise<Outcome>

const executors: Record<ToolName, Executor> = {
  async list_files(values, workspace) {
    const lines = await listTree(workspace.path(values.text('path')), '')
    return { kind: 'text', text: lines.join('\n') }
  },

  async read_file(values, workspace) {
    const path = values.text('path')
    const lines = (await readFile(workspace.path(path), 'utf8')).split('\n')
    if (lines.at(-1) === '') lines.pop()
    const first = values.number('start_line', 1)
    const last = Math.min(values.number('end_line', lines.length), lines.length)
    if (first > lines.length) {
      throw new RangeError(`${path} has ${lines.length} lines; start_line is ${first}`)
    }
    const width = String(last).length
    const numbered = lines
      .slice(first - 1, last)
      .map((line, offset) => `${String(first + offset).padStart(width)}  ${line}`)
    return { kind: 'text', text: numbered.join('\n') }
  },

  async grep(values, workspace) {
    const quoted = [values.text('pattern'), values.text('path')].map(quoteForShell)
    const output = await workspace.run(`grep -rnE -- ${quoted[0]} ${quoted[1]} | sort`, 10)
    if (output.stderr !== '') throw new Error(output.stderr.trim())
    return { kind: 'text', text: output.stdout === '' ? 'No matches.' : output.stdout.trimEnd() }
  },

  async edit_file(values, workspace) {
    const path = values.text('path')
    const oldText = values.text('old_text')
    const text = await readFile(workspace.path(path), 'utf8')
    const count = text.split(oldText).length - 1
    if (count === 0) throw new Error(`old_text was not found in ${path}`)
    if (count > 1) throw new Error(`old_text occurs ${count} times in ${path}; it must be unique`)
    const line = text.slice(0, text.indexOf(oldText)).split('\n').length
    await writeFile(
      workspace.path(path),
      text.replace(oldText, () => values.text('new_text')),
    )
    const removed = oldText.split('\n').length
    const added = values.text('new_text').split('\n').length
    return { kind: 'text', text: `Edited ${path} at line ${line}: -${removed} +${added} lines.` }
  },

  async write_file(values, workspace) {
    const content = values.text('content')
    await workspace.write(values.text('path'), content)
    return {
      kind: 'text',
      text: `Wrote ${values.text('path')} (${Buffer.byteLength(content)} bytes).`,
    }
  },

  async run_command(values, workspace) {
    const timeoutSeconds = values.number('timeout_seconds', 30)
    const output = await workspace.run(values.text('command'), timeoutSeconds)
    return { kind: 'command', output, timeoutSeconds }
  },
}

async function listTree(folder: string, prefix: string): Promise<string[]> {
  const names = (await readdir(folder)).sort()
  const lines: string[] = []
  for (const name of names) {
    const information = await stat(join(folder, name))
    if (information.isDirectory())
      lines.push(...(await listTree(join(folder, name), `${prefix}${name}/`)))
    else lines.push(`${prefix}${name}  ${information.size}`)
  }
  return lines
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
