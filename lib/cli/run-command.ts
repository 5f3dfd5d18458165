/** What mask and bench share: arguments in, text out, sentences on standard error, exit status 2 for what is wrong. */
import { describeFlags, type Flag, type ParsedFlags, parseFlags } from './parse-flags'
import type { InputContext } from './read-input'
import { UsageError } from './usage-error'

export interface Command {
  /** First lines of the usage, above the flags. */
  readonly usage: string
  readonly flags: readonly Flag[]
  readonly run: (flags: ParsedFlags, context: CommandContext) => Promise<string>
}

export interface CommandContext extends InputContext {
  /** Says something beside the output. */
  readonly warn: (sentence: string) => void
}

export interface Outcome {
  readonly status: 0 | 2
  /** Empty unless the status is 0. */
  readonly output: string
  readonly errors: readonly string[]
}

const HELP: Flag = { name: 'help', kind: 'switch', help: 'this text' }

/** Runs a command without touching the process; only what is the project's own fault is thrown. */
export async function outcomeOf(
  command: Command,
  args: readonly string[],
  input: InputContext,
): Promise<Outcome> {
  const errors: string[] = []
  const flags = [...command.flags, HELP]
  try {
    const parsed = parseFlags(args, flags)
    if (parsed.values.get('help') === true) {
      return { status: 0, output: `${command.usage}\n\n${describeFlags(flags)}\n`, errors }
    }
    const output = await command.run(parsed, { ...input, warn: (line) => errors.push(line) })
    return { status: 0, output, errors }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { status: 2, output: '', errors: [...errors, error.message] }
  }
}

/** Runs a command as this process: names are relative to where npm was started. */
export async function runAsProcess(command: Command): Promise<void> {
  const { status, output, errors } = await outcomeOf(command, process.argv.slice(2), {
    folder: process.env.INIT_CWD ?? process.cwd(),
    readStandardInput,
  })
  for (const sentence of errors) process.stderr.write(`${sentence}\n`)
  // Set, not called: exiting now would cut what a pipe has not taken yet.
  process.exitCode = status
  // A reader that has seen enough, such as `head`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  if (output !== '') process.stdout.write(Buffer.from(output, 'utf8'))
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
