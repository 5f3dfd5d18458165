/** A link with the figures of a report: numbers, policy, model and prices, and nothing of the transcript. */
import * as v from 'valibot'
import { addUp } from '../../conversation/add-up'
import { CHARGE_PARTS } from '../../replay/charged/explain-charges'
import { ADVICE_RULES } from '../../replay/recommend'
import type { ReplayFigures, ReportFacts, WrittenFacts } from '../../report/report-facts'
import { packText, unpackText } from './packed-text'
import { type LinkSettings, NO_SETTINGS, readSettingsLink, writeSharedLink } from './settings-link'

const number = v.pipe(v.number(), v.finite())
const count = v.pipe(number, v.integer(), v.minValue(0))
const name = v.pipe(v.string(), v.maxLength(300))
const flag = v.boolean()
/** JSON has no `undefined`: it is written as null. */
const maybe = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.nullish(schema, null),
    v.transform(
      (value) => (value === null ? undefined : value) as v.InferOutput<Schema> | undefined,
    ),
  )
/** Members of one kind. */
const all = <Name extends string, Schema extends v.GenericSchema>(
  schema: Schema,
  ...names: readonly Name[]
) => v.entriesFromList(names, schema)
const amount = maybe(number)
const day = v.pipe(v.string(), v.isoDate())
const month = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/))
/** Addresses are shown as text, and only those of the web are. */
const address = v.pipe(name, v.regex(/^(https:\/\/|$)/))
const costs = v.object(all(amount, 'plain', 'cached', 'output'))
const split = v.object(all(number, 'read', 'written', 'fresh'))
const side = v.object({ tokens: number, split, costs })
const column = v.object({
  tokens: v.array(number),
  plain: v.array(v.nullable(number)),
  cached: v.array(v.nullable(number)),
})
const requests = v.pipe(
  v.object({ before: column, after: column }),
  v.check((columns) => {
    const { length } = columns.before.tokens
    const sides = [columns.before, columns.after]
    return sides.every((one) => Object.values(one).every((list) => list.length === length))
  }),
  v.transform(({ before, after }): ReplayFigures['requests'] => {
    const sideAt = ({ tokens, plain, cached }: typeof before, at: number) => ({
      tokens: tokens[at] as number,
      costs: { plain: plain[at] ?? undefined, cached: cached[at] ?? undefined, output: undefined },
    })
    return before.tokens.map((_, at) => ({ before: sideAt(before, at), after: sideAt(after, at) }))
  }),
)
const tiers = v.array(v.object({ above: number, price: number }))
const tiered = v.object({ base: number, tiers })
const sheetPrice = maybe(
  v.object({ price: tiered, origin: v.picklist(['price_data', 'cache_rule', 'user']) }),
)
const minimum = { minimumTokens: number, lifetimeSeconds: amount }
const rule = v.variant('kind', [
  v.object({ kind: v.literal('none') }),
  v.object({ kind: v.literal('prefix'), stepTokens: number, ...minimum }),
  v.object({
    kind: v.literal('breakpoint'),
    stepTokens: number,
    ...minimum,
    lookBack: maybe(v.object({ unit: v.picklist(['blocks', 'requests']), count: number })),
    isHeadMarked: flag,
  }),
  v.object({ kind: v.literal('units'), intervalTokens: amount, ...minimum }),
])
const setting = {
  point: v.object({
    windowTurns: number,
    batchTurns: v.union([number, v.literal('auto')]),
    total: v.object({ tokens: number, costs }),
  }),
  ...all(number, 'cost', 'worstCost', 'lostUses'),
}
const recommendation = v.variant('state', [
  v.object({
    state: v.literal('mask'),
    ...setting,
    ...all(number, 'costBefore', 'savedShare', 'savedAtWorst'),
  }),
  v.object({
    state: v.literal('do_not_mask'),
    costBefore: number,
    cheapest: maybe(v.object(setting)),
  }),
  v.object({ state: v.literal('no_results') }),
  v.object({ state: v.literal('nothing_maskable'), results: number }),
  v.object({ state: v.literal('price_unknown') }),
])
const breakEven = v.variant('state', [
  v.object({ state: v.literal('from_request'), request: count }),
  v.object({ state: v.picklist(['never', 'price_unknown']) }),
])
const charge = v.object({
  requests: count,
  ...all(amount, 'inputTokens', 'readTokens', 'writtenTokens', 'writtenHourTokens'),
  ...all(amount, 'outputTokens', 'reasoningTokens', 'inputCost', 'outputCost'),
})
const calibration = {
  ...all(number, 'headTokens', 'slope', 'requestTokens'),
  warmTokens: amount,
  readableTokens: v.optional(amount),
}

export const figuresSchema: v.GenericSchema<unknown, Omit<WrittenFacts, 'policy'>> = v.object({
  day,
  measured: v.object({
    format: name,
    ...all(count, 'messages', 'turns', 'results', 'nonTextParts'),
    origin: v.picklist(['conversation', 'log']),
  }),
  names: maybe(
    v.object({
      file: name,
      tools: v.array(
        v.object({ name: maybe(name), results: count, maskedResults: count, tokens: number }),
      ),
    }),
  ),
  tried: maybe(v.object({ label: name, settings: v.array(v.tuple([name, name])) })),
  unnamed: v.object({ excludeTools: count, errorPatterns: count }),
  model: v.object({ name, provider: maybe(name), contextTokens: amount }),
  counting: v.object({ encoding: name, isExact: flag }),
  prices: v.object(all(sheetPrice, 'input', 'cachedRead', 'cacheWrite', 'output')),
  priceList: maybe(v.object({ source: name, date: day })),
  pricingUrl: maybe(address),
  changesByHour: flag,
  cache: v.object({
    label: name,
    rule,
    source: address,
    date: month,
    origin: v.picklist(['documented', 'user', 'unknown']),
  }),
  hasExpiry: flag,
  charged: maybe(
    v.object({
      charge,
      fileCost: amount,
      replayedCost: amount,
      // Older links do not have it.
      conversations: v.optional(count, 0),
      explained: v.array(
        v.object({
          plain: v.object({ costs }),
          parts: v.object(v.entriesFromList(CHARGE_PARTS, v.optional(number, 0))),
        }),
      ),
    }),
  ),
  calibration: maybe(
    v.object({
      inUse: maybe(v.object(calibration)),
      fit: maybe(
        v.object({
          ...calibration,
          requestsUsed: count,
          residualPercent: number,
          isSlopeFitted: flag,
        }),
      ),
      estimateSource: maybe(name),
      isSetByUser: flag,
    }),
  ),
  nextRequest: v.object({ before: number, after: number }),
  replayed: v.object({ requests, outputTokens: number, before: side, after: side }),
  prefixBreaks: count,
  mechanisms: maybe(
    v.array(
      v.object({
        ...{ id: name, settings: name, tokens: number, cost: amount, forgotten: count },
        before: maybe(v.object({ tokens: number, cost: amount })),
        advised: maybe(v.picklist(['best', 'own', 'both'])),
      }),
    ),
  ),
  recommendation,
  advice: v.object({ rule: v.picklist(ADVICE_RULES), keptShare: number, smallestWindow: number }),
  breakEven: v.object({ plain: breakEven, cached: breakEven }),
  losses: maybe(
    v.object({
      ...all(count, 'laterUses', 'lostUses', 'lostResults'),
      ...all(amount, 'worstCost', 'breakEven'),
      ...all(number, 'mostTurns', 'mostShare'),
    }),
  ),
  history: v.exactOptional(v.object({ found: count, added: count })),
  band: maybe(
    v.object({
      provider: maybe(name),
      own: v.object(all(count, 'requests', 'misses')),
      perfect: v.object(all(number, 'before', 'after')),
      ...all(v.object(all(number, 'low', 'middle', 'high')), 'before', 'after', 'change'),
    }),
  ),
  limits: maybe(v.object(all(amount, 'any', 'withoutLosses'))),
})

const VERSION = 1
/** The key of the packed figures in the fragment. */
const KEY = 'f'
/** Digits of the costs of single requests, which only charts draw. */
const DIGITS = 6

export type ReadFigures =
  /** `settings` is a fragment that applies the same settings in the playground. */
  | { readonly state: 'read'; readonly facts: WrittenFacts; readonly settings: string }
  | { readonly state: 'missing' | 'damaged' | 'newer_version' }

/** Writes the fragment, without its `#`: the settings without names, as in a link of settings, and the packed figures. */
export function writeFiguresLink(
  facts: ReportFacts,
  settings: Pick<LinkSettings, 'model' | 'sample' | 'mechanism'>,
): string {
  const { replayed, charged, losses, policy, ...rest } = facts
  const explained = charged?.explained ?? []
  const written = {
    ...rest,
    version: VERSION,
    replayed: {
      ...replayed,
      requests: { before: columnsOf(replayed, 'before'), after: columnsOf(replayed, 'after') },
    },
    charged: charged && {
      charge: charged.charge,
      fileCost: charged.fileCost,
      replayedCost: charged.replayedCost,
      conversations: charged.conversations,
      // The report shows their sum.
      explained:
        explained.length === 0
          ? []
          : [addUp(explained.map(({ plain: { costs }, parts }) => ({ plain: { costs }, parts })))],
    },
    losses: losses && { ...losses, usesByRequest: undefined, lostByRequest: undefined },
  }
  const text = JSON.stringify(written, (_, value: unknown) => (value === undefined ? null : value))
  const shared = writeSharedLink({ ...NO_SETTINGS, ...settings, policy })
  return `${shared}&${KEY}=${packText(text)}`
}

/** Reads a fragment, with or without its `#`. Whatever another program put there, the facts have the expected types. */
export function readFiguresLink(fragment: string): ReadFigures {
  const [settings = '', packed] = fragment.replace(/^#/, '').split(`&${KEY}=`)
  if (packed === undefined) return { state: 'missing' }
  const unpacked = unpackText(packed)
  if (unpacked.state !== 'unpacked') return { state: 'damaged' }
  try {
    const value: unknown = JSON.parse(unpacked.text)
    const version = v.parse(v.object({ version: v.number() }), value).version
    if (version > VERSION) return { state: 'newer_version' }
    const { policy } = readSettingsLink(settings).settings
    return { state: 'read', facts: { ...v.parse(figuresSchema, value), policy }, settings }
  } catch {
    return { state: 'damaged' }
  }
}

function columnsOf({ requests }: ReplayFigures, side: 'before' | 'after') {
  const costs = (kind: 'plain' | 'cached') =>
    requests.map((request) => {
      const cost = request[side].costs[kind]
      return cost === undefined ? null : Number(cost.toPrecision(DIGITS))
    })
  return {
    tokens: requests.map((request) => request[side].tokens),
    plain: costs('plain'),
    cached: costs('cached'),
  }
}
