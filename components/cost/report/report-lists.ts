/** The lists of a report: assumptions, policy, prices, tools. */
import { isSameSetting, type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { CHARGE_PARTS, sumParts } from '@/lib/core/replay/charged/explain-charges'
import { PRICE_KINDS, type SheetPrice } from '@/lib/core/replay/price-sheet'
import type { ToolCount, WrittenFacts } from '@/lib/core/report/report-facts'
import type { ReportFact } from '@/lib/core/report/report-page'
import { applying, type ReportTexts } from './report-sentences'

export function assumptions({ t, format, words }: ReportTexts, facts: WrittenFacts): string[] {
  const { cache, counting, replayed, measured } = facts
  const { rule, origin } = cache
  const answersCost = replayed.after.costs.output
  return applying([
    t('assumptions.steps'),
    rule.kind === 'none'
      ? t('assumptions.cache.none')
      : t(`assumptions.cache.${rule.kind}`, {
          label: words({ name: cache.label }),
          minimum: rule.minimumTokens,
          step: rule.kind === 'units' ? (rule.intervalTokens ?? 0) : Math.max(1, rule.stepTokens),
        }),
    origin === 'documented'
      ? cache.source !== '' &&
        t('assumptions.cache.source', { date: format.month(cache.date), source: cache.source })
      : t(`assumptions.cache.${origin}`),
    rule.kind !== 'none' && t(`assumptions.cache.${facts.hasExpiry ? 'expiry' : 'noExpiry'}`),
    t('assumptions.answers', {
      tokens: format.number(replayed.outputTokens),
      requests: replayed.requests.length,
      hasCost: answersCost === undefined ? 'no' : 'yes',
      cost: format.money(answersCost),
    }),
    t(counting.isExact ? 'assumptions.tokensExact' : 'assumptions.tokensEstimate', {
      encoding: counting.encoding,
      model: facts.model.name,
    }),
    measured.nonTextParts > 0 && t('assumptions.nonText', { n: measured.nonTextParts }),
    facts.changesByHour && t('assumptions.byHour'),
  ])
}

/** What was charged, and the parts of the difference to a plain replay. */
export function chargedFacts(
  { t, format }: ReportTexts,
  { charge, explained }: NonNullable<WrittenFacts['charged']>,
): ReportFact[] {
  const { inputTokens, inputCost, readTokens, writtenTokens, writtenHourTokens: hour } = charge
  const amount = (cost: number | undefined, tokens: number | undefined) =>
    t('charged.amount', { cost: format.money(cost), tokens: format.number(tokens) })
  const charged = inputCost ?? 0
  const plain = explained.reduce((sum, request) => sum + (request.plain.costs.cached ?? 0), 0)
  const parts = sumParts(explained)
  // Those that show in the charge.
  const shown = CHARGE_PARTS.filter((part) => Math.abs(parts[part]) >= charged / 1000)
  const signed = (value: number) =>
    `${value < 0 ? '−' : '+'}${format.money(Math.abs(value), charged)}`
  const steps = [
    ['plain', format.money(plain, charged)] as const,
    ...shown.map((part) => [part, signed(parts[part])] as const),
  ]
  return [
    [t('charged.input'), amount(inputCost, inputTokens)],
    [
      t('charged.cache'),
      t('charged.cacheValue', {
        read: format.number(readTokens),
        written: format.number(writtenTokens),
        hour: (hour ?? 0) > 0 ? format.number(hour) : 'none',
      }),
    ],
    [t('charged.output'), amount(charge.outputCost, charge.outputTokens)],
    ...(explained.length === 0 ? [] : steps).map(
      ([name, cost]) => [t(`charged.parts.${name}`), cost] as const,
    ),
  ]
}

export function calibrationFacts(
  { t, format, words }: ReportTexts,
  { inUse, fit, estimateSource, isSetByUser }: NonNullable<WrittenFacts['calibration']>,
): ReportFact[] {
  const shown = inUse ?? fit
  const bases = applying([
    inUse === undefined && t('calibration.off'),
    fit &&
      t('calibration.fit', {
        requests: fit.requestsUsed,
        percent: format.number(Math.round(fit.residualPercent * 10) / 10),
      }),
    isSetByUser && t('calibration.set'),
    estimateSource !== undefined &&
      t('calibration.estimate', { source: words({ name: estimateSource }) }),
  ])
  return [
    [
      t('calibration.unseen'),
      t('calibration.unseenValue', {
        head: format.number(shown?.headTokens),
        request: format.number(shown?.requestTokens),
      }),
    ],
    [t('calibration.slope'), format.number((shown?.slope ?? 1) * 100)],
    [t('calibration.basis'), bases.join('; ')],
  ]
}

/** Settings of Schema 1, the batch and all changed settings, under their names in files. */
export function policyFacts(
  { t }: Pick<ReportTexts, 't'>,
  { policy, unnamed, tried }: Pick<WrittenFacts, 'policy' | 'unnamed' | 'tried'>,
): ReportFact[] {
  if (tried !== undefined) return tried.settings.map(([key, value]) => [key, value, true])
  return POLICY_FIELDS.flatMap((field): ReportFact[] => {
    const value = policy[field.key]
    const hidden = { ...unnamed }[field.key as string] ?? 0
    if (hidden > 0) return [[field.toml, t('policy.unnamed', { n: hidden }), true]]
    const isShown = !field.isExtension || field.key === 'batchTurns'
    if (!isShown && isSameSetting(value, field.defaultValue)) return []
    return [[field.toml, settingText(value, t), true]]
  })
}

function settingText(value: MaskPolicy[keyof MaskPolicy], t: ReportTexts['t']): string {
  if (typeof value === 'boolean') return t(value ? 'policy.on' : 'policy.off')
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return value.length === 0 ? t('policy.none') : value.join(', ')
}

export function priceFacts(
  texts: Pick<ReportTexts, 't' | 'format'>,
  facts: Pick<WrittenFacts, 'model' | 'prices' | 'priceList' | 'pricingUrl'>,
): ReportFact[] {
  const { t, format } = texts
  const { model, priceList, pricingUrl } = facts
  const { name, provider, contextTokens } = model
  return [
    [t('prices.model'), provider === undefined ? name : `${name} (${provider})`],
    ...PRICE_KINDS.map(
      (kind) => [t(`prices.${kind}`), priceText(texts, facts.prices[kind])] as const,
    ),
    [
      t('prices.list'),
      priceList === undefined
        ? t('prices.custom')
        : t('prices.listValue', { ...priceList, date: format.day(priceList.date) }),
    ],
    ...(pricingUrl === undefined ? [] : [[t('prices.url'), pricingUrl] as const]),
    [
      t('prices.context'),
      contextTokens === undefined
        ? t('prices.unknown')
        : t('prices.contextValue', { tokens: format.number(contextTokens) }),
    ],
  ]
}

function priceText(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  sheetPrice: SheetPrice | undefined,
): string {
  if (sheetPrice === undefined) return t('prices.unknown')
  const { price, origin } = sheetPrice
  const tiers = price.tiers.map((tier) =>
    t('prices.tier', { price: format.price(tier.price), tokens: format.number(tier.above) }),
  )
  const from = origin === 'price_data' ? '' : t(`prices.origin.${origin}`)
  return `${[format.price(price.base), ...tiers].join('; ')}${from}`
}

/** The largest tools that fit a page, and the sum of the others. */
const MOST_TOOLS = 10

export function toolFacts({ t, format }: ReportTexts, tools: readonly ToolCount[]): ReportFact[] {
  const shown = tools.length <= MOST_TOOLS ? tools : tools.slice(0, MOST_TOOLS - 1)
  const rest = tools.slice(shown.length)
  const sum = (key: 'results' | 'maskedResults' | 'tokens') =>
    rest.reduce((total, tool) => total + tool[key], 0)
  const others = {
    name: t('tools.others', { n: rest.length }),
    results: sum('results'),
    maskedResults: sum('maskedResults'),
    tokens: sum('tokens'),
  }
  return [...shown, ...(rest.length === 0 ? [] : [others])].map(
    ({ name = t('tools.unknown'), results, maskedResults: masked, tokens }) => [
      name,
      t('tools.value', { results, masked, tokens: format.number(tokens) }),
    ],
  )
}
