import { parseArgs } from 'node:util'

/** A command that is used incorrectly, or an input that cannot be read; `message` is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A flag of a command. A switch has no value and can be negated with `--no-`. */
export interface Flag {
  /** Without its dashes. */
  readonly name: string
  readonly kind: 'switch' | 'value'
  /** The value as the usage text shows it, such as `N`. */
  readonly shown?: string
  readonly help: string
}

export interface ParsedFlags {
  /** By name; if a flag is repeated, the last one is used. */
  readonly values: ReadonlyMap<string, string | boolean>
  readonly positionals: readonly string[]
}

/** Reads a command line. Throws a `UsageError` for unknown flags and missing values. */
export function parseFlags(args: readonly string[], flags: readonly Flag[]): ParsedFlags {
  const known = new Map(flags.flatMap((flag) => spellings(flag)))
  const options = Object.fromEntries(
    [...known].map(([spelling, { flag }]) => {
      const type = flag.kind === 'value' ? ('string' as const) : ('boolean' as const)
      return [spelling, { type }]
    }),
  )
  // Strict mode has unhelpful error messages and refuses `--window-turns -1`.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string | boolean>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const found = known.get(token.name)
    if (found === undefined || !token.rawName.startsWith('--')) {
      throw new UsageError(`There is no flag ${token.rawName}; --help lists those there are.`)
    }
    const { flag, isNegated } = found
    if (flag.kind === 'value') {
      const isNextFlag = !token.inlineValue && known.has((token.value ?? '').replace(/^--/, ''))
      if (token.value === undefined || (isNextFlag && token.value.startsWith('--')))
        throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${flag.shown}.`)
      values.set(flag.name, token.value)
    } else {
      if (token.value !== undefined)
        throw new UsageError(`${token.rawName} takes no value; found "${token.value}".`)
      values.set(flag.name, !isNegated)
    }
  }
  return { values, positionals }
}

function spellings(flag: Flag): [string, { flag: Flag; isNegated: boolean }][] {
  const plain: [string, { flag: Flag; isNegated: boolean }] = [
    flag.name,
    { flag, isNegated: false },
  ]
  return flag.kind === 'value' ? [plain] : [plain, [`no-${flag.name}`, { flag, isNegated: true }]]
}

/** Lists the flags as aligned lines of a usage text. */
export function describeFlags(flags: readonly Flag[]): string {
  const rows = flags.map((flag) => [
    flag.kind === 'value' ? `--${flag.name} ${flag.shown}` : `--${flag.name}`,
    flag.help,
  ])
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0))
  return rows.map(([left, right]) => `  ${left?.padEnd(width)}  ${right}`).join('\n')
}
