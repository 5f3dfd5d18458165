/** Runs a command: arguments in, text out, warnings and errors on standard error, exit status 2 on an error. */
import { fstatSync, writeSync } from 'node:fs'
import { describeFlags, type Flag, flag, type ParsedFlags, parseFlags, UsageError } from './flags'
import type { InputContext } from './read-files'

export interface Command {
  /** The first lines of the usage text, above the flags. */
  readonly usage: string
  readonly flags: readonly Flag[]
  readonly run: (flags: ParsedFlags, context: CommandContext) => Promise<string>
}

export interface CommandContext extends InputContext {
  /** Prints a sentence to standard error. */
  readonly warn: (sentence: string) => void
}

const HELP = flag('help', 'print this text')

/** Runs a command without changing the process; the output is empty unless the status is 0. Only unexpected errors are thrown. */
export async function outcomeOf(command: Command, args: readonly string[], input: InputContext) {
  const errors: string[] = []
  const flags = [...command.flags, HELP]
  try {
    const parsed = parseFlags(args, flags)
    if (parsed.isOn('help')) {
      return { status: 0, output: `${command.usage}\n\n${describeFlags(flags)}\n`, errors }
    }
    const output = await command.run(parsed, { ...input, warn: (line) => errors.push(line) })
    return { status: 0, output, errors }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { status: 2, output: '', errors: [...errors, error.message] }
  }
}

/** Runs a command as this process; file names are relative to the folder in which npm was started. */
export async function runAsProcess(command: Command, args: readonly string[]): Promise<void> {
  const { status, output, errors } = await outcomeOf(command, args, {
    folder: process.env.INIT_CWD ?? process.cwd(),
    readStandardInput,
  })
  // The status tells what an unwritable standard error cannot.
  process.stderr.on('error', () => {})
  for (const sentence of errors) process.stderr.write(`${sentence}\n`)
  // Calling process.exit now would lose output that a pipe has not read yet.
  process.exitCode = status
  try {
    await writeStandardOutput(Buffer.from(output, 'utf8'))
  } catch (error) {
    // A reader such as `head` can stop early; that is not an error.
    if (codeOf(error) === 'EPIPE') return
    process.stderr.write(`Standard output cannot be written (${codeOf(error)}).\n`)
    process.exitCode = 2
  }
}

/** Writes all bytes, or throws the system's error. */
async function writeStandardOutput(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return
  const { stdout } = process
  const file = fstatSync(stdout.fd)
  if (stdout.isTTY || file.isFIFO() || file.isSocket()) {
    await new Promise<void>((resolve, reject) => {
      stdout.on('error', reject)
      stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
    return
  }
  // The stream of a file takes one short write on a full device for success.
  for (let at = 0; at < bytes.length; ) at += writeSync(stdout.fd, bytes, at)
}

/** Reads standard input to its end. Throws a `UsageError` if that fails. */
async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  } catch (error) {
    throw new UsageError(`Standard input cannot be read (${codeOf(error)}).`)
  }
  return Buffer.concat(chunks)
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
