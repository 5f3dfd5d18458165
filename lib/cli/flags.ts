import { parseArgs } from 'node:util'

/** A command that is used incorrectly, or an input that cannot be read; `message` is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A flag of a command. A switch has no value and can be negated with `--no-`. */
export type Flag = Readonly<ReturnType<typeof flag>>

/** A flag by its name without dashes. It takes a value if `shown` names it as the usage text shows it, such as `N`. */
export function flag(name: string, help: string, shown?: string) {
  const kind: 'switch' | 'value' = shown === undefined ? 'switch' : 'value'
  return { name, kind, shown, help }
}

/** The flags of a table of texts, in its order: by name the help, and what stands for the value if the flag has one. */
export function flagsOf(
  texts: Readonly<Record<string, readonly string[]>>,
  values: { readonly [name: string]: unknown } = {},
): Flag[] {
  return Object.entries(texts).map(([name, [help = '', shown]]) =>
    flag(
      name,
      help.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key])),
      shown,
    ),
  )
}

/** What a command line says. If a flag is repeated, the last one is used. */
export class ParsedFlags {
  constructor(
    readonly values: ReadonlyMap<string, string | boolean>,
    readonly positionals: readonly string[],
    private readonly given: readonly (readonly [name: string, value: string])[] = [],
  ) {}

  isOn(name: string): boolean {
    return this.values.get(name) === true
  }

  text(name: string): string | undefined {
    const value = this.values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  /** All values of a flag that can be repeated. */
  texts(name: string): readonly string[] {
    return this.given.flatMap(([own, value]) => (own === name ? [value] : []))
  }

  /** The number of a flag that is set. Throws a `UsageError` that says what is expected if its text is not of that form. */
  number(name: string, form: RegExp, expected: string): number | undefined {
    const text = this.text(name)
    if (text === undefined || form.test(text)) return text === undefined ? text : Number(text)
    throw new UsageError(`--${name} is "${text}"; expected ${expected}.`)
  }

  /** The same for a whole number from one to another. */
  within(name: string, lowest: number, highest: number): number | undefined {
    const expected = `a number from ${lowest} to ${highest}`
    const read = this.number(name, /^\d{1,12}$/, expected)
    if (read === undefined || (read >= lowest && read <= highest)) return read
    throw new UsageError(`--${name} is "${read}"; expected ${expected}.`)
  }
}

/** Reads a command line. Throws a `UsageError` for unknown flags and missing values. */
export function parseFlags(args: readonly string[], flags: readonly Flag[]): ParsedFlags {
  const find = (spelling: string) => flags.find(({ name }) => name === spelling)
  const findNegated = (spelling: string) => {
    const negated = spelling.startsWith('no-') ? find(spelling.slice(3)) : undefined
    return negated?.kind === 'switch' ? negated : undefined
  }
  const options = Object.fromEntries(
    flags.map(({ name, kind }) => [
      name,
      { type: kind === 'value' ? ('string' as const) : ('boolean' as const) },
    ]),
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
  const given: [string, string][] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const own = find(name)
    const found = own ?? findNegated(name)
    if (found === undefined || !rawName.startsWith('--'))
      throw new UsageError(`There is no flag ${rawName}; --help lists those there are.`)
    if (found.kind === 'value') {
      const next = !token.inlineValue && value?.startsWith('--') ? value.slice(2) : undefined
      if (value === undefined || (next !== undefined && (find(next) ?? findNegated(next))))
        throw new UsageError(`${rawName} needs a value: ${rawName} ${found.shown}.`)
      values.set(found.name, value)
      given.push([found.name, value])
    } else {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value; found "${value}".`)
      values.set(found.name, own !== undefined)
    }
  }
  return new ParsedFlags(values, positionals, given)
}

/** Lists the flags as aligned lines of a usage text. */
export function describeFlags(flags: readonly Flag[]): string {
  const left = flags.map(({ name, shown }) => `--${name}${shown ? ` ${shown}` : ''}`)
  const width = Math.max(...left.map(({ length }) => length))
  return flags.map(({ help }, at) => `  ${left[at]?.padEnd(width)}  ${help}`).join('\n')
}

/** JSON as commands print it. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

export function several(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
