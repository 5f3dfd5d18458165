/**
 * Reads what a provider counted and charged for a request, by the names in `usage-names.json`. Each family of names is one
 * row; the families differ in whether the stated input includes what the cache read and wrote, and whether the stated output
 * includes reasoning. Sources, read November 2026: the API references of Anthropic, OpenAI, Google and AWS, and the types of
 * the AI SDK, LangChain, Langfuse, Inspect, Cline, Gemini CLI and Codex.
 */
import type { Usage } from '../../conversation/conversation'
import { isJsonObject, type JsonObject, membersOf, parseJson } from '../../text/json'
import { type JsonPath, valueAtPath } from '../../text/json-path'
import NAMES from './usage-names.json' with { type: 'json' }

/** Names of numbers; a slash goes into an object. The first name with a number counts. `moreInput` is left out of `input`. */
type Counted =
  | ('input' | 'moreInput' | 'read' | 'write' | 'write5m' | 'writeHour')
  | ('output' | 'reasoning' | 'total' | 'cost')

interface UsageNames extends Readonly<Partial<Record<Counted, readonly string[]>>> {
  /** True if `input` leaves out what the cache read and wrote, unless a stated total says otherwise. */
  readonly isInputFresh?: boolean
  /** True if a usage that names no cached tokens means that there were none. */
  readonly statesCache?: boolean
  /** True if 0 tokens written can mean that they are not reported. */
  readonly isNoWriteUnknown?: boolean
  /** True if `output` leaves out reasoning, unless a stated total says otherwise. */
  readonly isOutputVisible?: boolean
}

export type UsageFamily = keyof typeof NAMES.families

/** A member or a name, and the family that it tells; a slash goes into an object. */
interface NamedFamily {
  readonly name: string
  /** Undefined where the names inside the member tell it. */
  readonly family?: UsageFamily
}

/** Members of an answer that contain its usage. */
const ANSWER_MEMBERS = NAMES.answerMembers as readonly NamedFamily[]
/** Names that tell a family; several APIs have `input_tokens`. */
const TELLING_NAMES = NAMES.tellingNames as readonly NamedFamily[]

/** Reads an object with the names of a family; undefined if it states no tokens and no cost. */
export function readUsage(
  value: unknown,
  family: UsageFamily,
  facts: Partial<Pick<Usage, 'model' | 'at' | 'statedCost'>> = {},
  answer: unknown = undefined,
): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const names: UsageNames = NAMES.families[family]
  const number = (keys: readonly string[] = []): number | undefined =>
    keys.map((key) => numberAt(value, key)).find((found) => found !== undefined)
  const hasInput = number(names.input) !== undefined
  const none = names.statesCache === true && hasInput ? 0 : undefined
  const read = number(names.read) ?? none
  const hour = number(names.writeHour)
  const stated = number(names.write) ?? sumOf(number(names.write5m), hour)
  const isUnreported = names.isNoWriteUnknown === true && stated === 0
  const written = isUnreported
    ? undefined
    : (stated ?? (names.isInputFresh === true ? none : undefined))
  const input = sumOf(number(names.input), number(names.moreInput))
  const output = number(names.output)
  const reasoning = number(names.reasoning)
  const total = number(names.total)
  const cached = (read ?? 0) + (written ?? 0)
  // What each side leaves out, by its names; a total that the parts make otherwise is more certain.
  const usual = [names.isInputFresh === true, names.isOutputVisible === true] as const
  const [isFresh, isVisible] =
    [usual, [true, false] as const, [false, true] as const, [false, false] as const].find(
      ([fresh, visible]) =>
        (input ?? 0) + (fresh ? cached : 0) + (output ?? 0) + (visible ? (reasoning ?? 0) : 0) ===
        total,
    ) ?? usual
  const { id } = membersOf(answer)
  const usage: Usage = {
    inputTokens: input === undefined ? undefined : input + (isFresh ? cached : 0),
    cacheReadTokens: read,
    cacheWriteTokens: written,
    cacheWriteHourTokens: hour,
    outputTokens: isVisible ? sumOf(output, reasoning) : output,
    reasoningTokens: reasoning,
    totalTokens: total,
    model: facts.model,
    at: facts.at,
    statedCost: number(names.cost) ?? facts.statedCost,
    id: typeof id === 'string' ? id : undefined,
    service: serviceOf({ ...membersOf(answer), ...value }, PROVIDERS.has(family) ? value : {}),
    webSearches: number(NAMES.searches),
  }
  const counted = [input, read, written, output, total, usage.statedCost]
  return counted.some((count) => count !== undefined && count > 0) ? usage : undefined
}

/** Reads the usage in an answer, or in an event or line with one, whichever family its names are of. */
export function usageOfAnswer(value: unknown, at?: number): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  for (const { name, family: named } of ANSWER_MEMBERS) {
    const found = memberAt(value, name)
    if (!isJsonObject(found)) continue
    const family = named ?? TELLING_NAMES.find((one) => Object.hasOwn(found, one.name))?.family
    if (family === undefined) continue
    const around = valueAtPath(value, name.split('/').slice(0, -1))
    const usage = readUsage(found, family, { model: modelIn(value), at }, around)
    if (usage !== undefined) return usage
  }
  return undefined
}

/** The families of the providers' own names; clients write other things into a usage. */
const PROVIDERS: ReadonlySet<UsageFamily> = new Set(['anthropic', 'chat', 'responses', 'gemini'])
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  ...Object.values<UsageNames>(NAMES.families).flatMap((names) =>
    Object.values(names)
      .flat()
      .flatMap((name) => String(name).split('/')),
  ),
  ...[...NAMES.serviceMembers, ...NAMES.searches, ...NAMES.freeMembers],
])

/** What of a usage, and of the answer around it, can change the prices of the request: members that are unknown, too. */
function serviceOf(stated: JsonObject, usage: JsonObject): readonly string[] | undefined {
  const unknown = [usage, ...Object.values(usage)]
    .flatMap((one) => Object.entries(isJsonObject(one) ? one : {}))
    .filter(([name]) => !KNOWN_MEMBERS.has(name) && !/time|cost|duration/i.test(name))
  const named = [
    ...NAMES.serviceMembers.map((name) => [name, stated[name]] as const),
    ...unknown,
  ].flatMap(([name, value]) => {
    if (typeof value === 'string' && value !== '' && !NAMES.standardServices.includes(value))
      return [`${name}=${value}`]
    const isStated = value === true || (typeof value === 'number' && value > 0)
    return isStated && !NAMES.serviceMembers.includes(name) ? [name] : []
  })
  return named.length === 0 ? undefined : named
}

/** Members of a logged request, or of the record around it, that contain the answer. */
const ANSWERS = ['response', 'output', 'answer', 'completion', 'result'] as const

/** True for a record of our proxy whose request was sent masked: its usage is that of the masked request. */
export function wasMasked(record: unknown): boolean {
  return Number(membersOf(record).masked_results) > 0
}

/**
 * Reads the usage of the answer to a logged request. The record is the object with the messages at `path`, or one of
 * the three values around it.
 */
export function usageBeside(document: unknown, path: JsonPath): Usage | undefined {
  for (let depth = path.length - 1; depth >= Math.max(0, path.length - 4); depth--) {
    const record = valueAtPath(document, path.slice(0, depth))
    if (!isJsonObject(record)) continue
    const isAnswered = ['choices', 'candidates', 'output'].some((key) => Array.isArray(record[key]))
    const answers = [...(isAnswered ? [record] : []), ...ANSWERS.map((key) => record[key])]
    for (const answer of answers) {
      const usage = usageOfAnswer(answer)
      if (usage !== undefined) return wasMasked(record) ? { ...usage, isOfMasked: true } : usage
    }
  }
  return undefined
}

/** Members of an answer that state its model and its usage. */
const USAGE_MEMBERS: readonly string[] = [
  ...['model', 'modelVersion', 'usage', 'usageMetadata', 'metadata'],
  'service_tier',
]

/** The answer in the text of an HTTP response: a JSON body, or the events of a stream, whose later numbers count. */
export function answerOfText(text: string): unknown {
  const whole = parseJson(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole.at(-1) : whole
  const events = text.split('\n').map((line) => {
    return line.startsWith('data:') ? membersOf(parseJson(line.slice(5))) : {}
  })
  return statedIn(events.flatMap((event) => [event, event.message, event.response]))
}

/** What the text of an HTTP response states of its model and usage, under the provider's own names. */
export function statedInResponseText(text: string): JsonObject | undefined {
  return statedIn([answerOfText(text)])
}

function statedIn(answers: readonly unknown[]): JsonObject | undefined {
  const stated: Record<string, unknown> = {}
  for (const answer of answers) {
    for (const key of USAGE_MEMBERS) {
      const value = membersOf(answer)[key]
      if (isJsonObject(value)) stated[key] = { ...membersOf(stated[key]), ...value }
      else if (typeof value === 'string') stated[key] = value
    }
  }
  return Object.keys(stated).length === 0 ? undefined : stated
}

function modelIn(value: JsonObject): string | undefined {
  const models = NAMES.modelMembers.map((member) => memberAt(value, member))
  // Claude Code writes messages of its own under this name.
  return models
    .filter((model) => model !== '<synthetic>')
    .find((model) => typeof model === 'string')
}

export function numberAt(value: JsonObject, key: string): number | undefined {
  const found = Object.hasOwn(value, key) ? value[key] : memberAt(value, key)
  // Attributes of spans can be numbers in strings.
  const number = typeof found === 'string' && /^\d+(\.\d+)?$/.test(found) ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

function memberAt(value: JsonObject, key: string): unknown {
  return valueAtPath(value, key.split('/'))
}

function sumOf(...parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, part) => total + part, 0)
}
