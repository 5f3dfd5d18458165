/**
 * Takes apart what was charged for a session and what the plain replay of it costs. Each cause is added to the replay in
 * turn; its part is the change of every request's cost. What then remains of a request belongs to one cause: a
 * compaction, if the request is the first after one; a change of model; a miss that no rule foresees, if the provider
 * read far less from its cache than the replay; else the rest.
 */
import { addUp } from '../../conversation/add-up'
import type { Usage } from '../../conversation/conversation'
import { DEFAULT_POLICY } from '../../policy/policy'
import type { Calibration } from '../calibration/calibrate-session'
import { prepareReplay } from '../prepare-replay'
import { ofKinds, type PriceKind, type PriceSheet, priceAt, priceOf, usdOf } from '../price-sheet'
import { type Tokens, type Usd, withoutLifetime } from '../prompt-cache'
import { type ReplaySide, replayUnmasked } from '../replay'
import type { CostTerms } from '../request-terms'
import { SEARCH_PRICE, serviceFactorOf, servicesOf } from '../service-prices'
import { outputTokens, type Session } from '../sessions'

/** Tokens and costs that were charged for requests; undefined where one of them does not state it. */
export interface Charge {
  /** Number of requests whose usage is stated. */
  readonly requests: number
  /** All input, including what the cache read and wrote. */
  readonly inputTokens: Tokens | undefined
  readonly readTokens: Tokens | undefined
  readonly writtenTokens: Tokens | undefined
  readonly writtenHourTokens: Tokens | undefined
  readonly outputTokens: Tokens | undefined
  readonly reasoningTokens: Tokens | undefined
  readonly inputCost: Usd | undefined
  readonly outputCost: Usd | undefined
  /** What the transcript itself states for it. */
  readonly statedCost?: Usd | undefined
  /** Id of the answer of the one request. */
  readonly id?: string | undefined
  /** Of searches that the provider made; undefined for none. */
  readonly searchCost?: Usd | undefined
  /** Number of answers with far more tokens than are charged for them; undefined for none. */
  readonly stubs?: number | undefined
  /** The services that the usage names beside the standard one, each once. */
  readonly services?: ReturnType<typeof servicesOf>
}

/**
 * The charge for one request. Its cost is unknown if prompts are cached and the usage does not say what was read. Where
 * it does not say what was written, and the rule writes what it does not read, the rest was written.
 */
export function chargeOf(usage: Usage, terms: CostTerms): Charge {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const [input, read] = [inputTokens ?? 0, cacheReadTokens ?? 0]
  const unread = Math.max(0, input - read)
  const written = cacheWriteTokens ?? (terms.rule.kind === 'breakpoint' ? unread : 0)
  const hour = usage.cacheWriteHourTokens
  const sheet = sheetOf(terms, usage, false)
  const cost = (tokens: Tokens, kind: PriceKind, from = sheet) =>
    priceOf(tokens, priceAt(from[kind], input))
  const inputCost =
    cost(Math.max(0, unread - written), 'input') +
    cost(read, 'cachedRead') +
    cost(written - (hour ?? 0), 'cacheWrite') +
    cost(hour ?? 0, 'cacheWrite', sheetOf(terms, usage, true))
  const isKnown =
    inputTokens !== undefined && (cacheReadTokens !== undefined || terms.rule.kind === 'none')
  return {
    requests: 1,
    inputTokens,
    readTokens: cacheReadTokens,
    writtenTokens: cacheWriteTokens,
    writtenHourTokens: hour,
    outputTokens,
    reasoningTokens: usage.reasoningTokens,
    inputCost: isKnown ? usdOf(inputCost) : undefined,
    outputCost: outputTokens === undefined ? undefined : usdOf(cost(outputTokens, 'output')),
    searchCost: usage.webSearches ? usage.webSearches * SEARCH_PRICE.usd : undefined,
    services: servicesOf(usage),
    statedCost: usage.statedCost,
    id: usage.id,
  }
}

function sheetOf(
  { prices, variants = [] }: Pick<CostTerms, 'prices' | 'variants'>,
  usage: Usage,
  isHour: boolean,
): PriceSheet {
  const factor = serviceFactorOf(usage)
  const own = variants.filter(
    (variant) =>
      (variant.factor ?? 1) === factor &&
      (variant.model === undefined || variant.model === usage.model),
  )
  const found =
    own.find(({ hasHourWrites }) => hasHourWrites === isHour) ??
    own.find(({ hasHourWrites }) => !hasHourWrites)
  return found?.prices ?? prices
}

/** What the input would have cost, had the requests been masked: the charge changes as our replay does. `from` is the replay of what was charged. */
export function chargeIfMasked(
  { inputCost }: Charge,
  { before, after }: { readonly before: ReplaySide; readonly after: ReplaySide },
  from = before.costs.cached,
): Usd | undefined {
  const to = after.costs.cached
  if (inputCost === undefined || from === undefined || to === undefined || from === 0)
    return undefined
  return (inputCost * to) / from
}

/** An answer of this length is charged at least this share of our count, unless the file kept the first count of a stream. */
const LONG_ANSWER: Tokens = 40
const STUB_SHARE = 0.25

/** The charges of a session: by request where they are stated so, else those of the whole conversation. */
export function chargesOf(session: Session, terms: CostTerms): Charge[] {
  const { requests, conversation } = session
  const { chargedOutputs: _, ...counted } = session
  const outputs = outputTokens(counted)
  const charges = requests.flatMap(({ usage }, index): Charge[] => {
    if (usage === undefined) return []
    const answer = outputs[index] as Tokens
    const isStub = answer >= LONG_ANSWER && (usage.outputTokens ?? answer) < answer * STUB_SHARE
    return [{ ...chargeOf(usage, terms), ...(isStub && { stubs: 1 }) }]
  })
  const { usageTotal } = conversation
  if (usageTotal === undefined) return charges
  const statesCost = charges.some(({ statedCost }) => statedCost !== undefined)
  if (charges.length > 0 && (statesCost || usageTotal.statedCost === undefined)) return charges
  if (charges.length > 0)
    return [...charges, { ...sumCharges([]), statedCost: usageTotal.statedCost }]
  const total = chargeOf(usageTotal, { rule: terms.rule, prices: withoutTiers(terms.prices) })
  return [{ ...total, requests: usageTotal.requests ?? requests.length }]
}

/** Prices for tokens of several requests, none of which is long by itself. */
function withoutTiers(prices: PriceSheet): PriceSheet {
  return ofKinds((kind) => {
    const entry = prices[kind]
    return entry && { ...entry, price: { base: entry.price.base, tiers: [] } }
  })
}

/** The sum of charges, each answer once. A number that none of them states is undefined; one that only some state is the sum of these. */
export function sumCharges(all: readonly Charge[]): Charge {
  const ids = new Set<string>()
  const charges = all.filter(({ id }) => {
    if (id === undefined) return true
    const isFirst = !ids.has(id)
    ids.add(id)
    return isFirst
  })
  const sum = (key: Exclude<keyof Charge, 'services' | 'id'>): number | undefined => {
    const known = charges.flatMap((charge) => charge[key] ?? [])
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
  }
  /** Unknown if a charge has tokens without a cost. */
  const cost = (tokens: 'inputTokens' | 'outputTokens', key: 'inputCost' | 'outputCost') =>
    charges.some((charge) => charge[tokens] !== undefined && charge[key] === undefined)
      ? undefined
      : sum(key)
  return {
    requests: sum('requests') ?? 0,
    inputTokens: sum('inputTokens'),
    readTokens: sum('readTokens'),
    writtenTokens: sum('writtenTokens'),
    writtenHourTokens: sum('writtenHourTokens'),
    outputTokens: sum('outputTokens'),
    reasoningTokens: sum('reasoningTokens'),
    inputCost: cost('inputTokens', 'inputCost'),
    outputCost: cost('outputTokens', 'outputCost'),
    searchCost: sum('searchCost'),
    statedCost: sum('statedCost'),
    stubs: sum('stubs'),
    services: charges
      .flatMap(({ services = [] }) => services)
      .filter(
        ({ name, price }, at, all) =>
          all.findIndex((other) => other.name === name && other.price === price) === at,
      ),
  }
}

export const CHARGE_PARTS = [
  'head',
  'counting',
  'hour_writes',
  'expiry',
  'service',
  'model',
  'compaction',
  'misses',
  'rest',
] as const

export type ChargePart = (typeof CHARGE_PARTS)[number]

/** Dollars of input by cause; their sum is what was charged less the plain replay. */
export type ChargeParts = Readonly<Record<ChargePart, Usd>>

export type ExplainedRequest = ReturnType<typeof explainCharges>[number]

/** The provider read at least this much less than the replay, as a share of the request. */
const MISSED_SHARE = 0.1

/** The charged requests of a session, in order; empty if a price is unknown. */
export function explainCharges(session: Session, calibration: Calibration, terms: CostTerms) {
  const { variants = [], ...withoutVariants } = terms
  const hours = variants.filter(({ hasHourWrites }) => hasHourWrites)
  const services = variants.filter(({ hasHourWrites, factor = 1 }) => hasHourWrites || factor !== 1)
  const withoutTime = { ...withoutVariants, rule: withoutLifetime(terms.rule) }
  const isAfterCompaction = session.conversation.followsCompaction === true
  const headPart = isAfterCompaction ? 'compaction' : 'head'
  const cold = { ...calibration, warmTokens: undefined }
  const headOnly = { headTokens: calibration.headTokens, slope: 1, requestTokens: 0 }
  const plain = sidesOf(session, undefined, withoutTime)
  const stages: readonly (readonly [ChargePart, readonly ReplaySide[]])[] = [
    ['head', sidesOf(session, headOnly, withoutTime)],
    ['counting', sidesOf(session, cold, withoutTime)],
    ['hour_writes', sidesOf(session, cold, { ...withoutTime, variants: hours })],
    ['expiry', sidesOf(session, cold, { ...terms, variants: hours })],
    // A head that was cached before the transcript begins.
    [headPart, sidesOf(session, calibration, { ...terms, variants: hours })],
    ['service', sidesOf(session, calibration, { ...terms, variants: services })],
    ['model', sidesOf(session, calibration, terms)],
  ]
  let model: string | undefined
  return session.requests.flatMap(({ usage }, request) => {
    if (usage === undefined) return []
    const isOtherModel = model !== undefined && usage.model !== undefined && usage.model !== model
    model = usage.model ?? model
    const charge = chargeOf(usage, terms)
    const first = plain[request] as ReplaySide
    const parts: Record<ChargePart, Usd> = emptyParts()
    let cost = first.costs.cached
    if (cost === undefined || charge.inputCost === undefined) return []
    for (const [part, sides] of stages) {
      const next = sides[request]?.costs.cached
      if (next === undefined) return []
      parts[part] += next - cost
      cost = next
    }
    const calibrated = stages.at(-1)?.[1][request] as ReplaySide
    const cause =
      isAfterCompaction && request === 0
        ? 'compaction'
        : isOtherModel
          ? 'model'
          : hasMissed(charge, calibrated)
            ? 'misses'
            : 'rest'
    parts[cause] += charge.inputCost - cost
    return {
      /** Index of the request in its session. */
      request,
      charge,
      /** The plain replay: our counts, and a cache that forgets nothing. */
      plain: first,
      /** The replay with all causes. */
      calibrated,
      parts: parts as ChargeParts,
    }
  })
}

export function sumParts(requests: readonly Pick<ExplainedRequest, 'parts'>[]): ChargeParts {
  return addUp([emptyParts(), ...requests.map(({ parts }) => parts)])
}

function emptyParts(): Record<ChargePart, Usd> {
  return Object.fromEntries(CHARGE_PARTS.map((part) => [part, 0])) as Record<ChargePart, Usd>
}

function hasMissed({ readTokens, inputTokens }: Charge, { split }: ReplaySide): boolean {
  if (readTokens === undefined || inputTokens === undefined) return false
  return split.read - readTokens > MISSED_SHARE * inputTokens
}

function sidesOf(session: Session, calibration: Calibration | undefined, terms: CostTerms) {
  const prepared = prepareReplay(session, DEFAULT_POLICY, NO_TEXTS, calibration)
  return replayUnmasked(prepared, terms).sides
}

/** The replay is of unmasked requests, so no text is asked for. */
const NO_TEXTS = { textOf: () => '', placeholderTokensOf: (): Tokens => 0 }
