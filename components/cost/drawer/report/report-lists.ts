/** The lists at the end of a report: assumptions, policy, prices, tools. */
import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS } from '@/lib/core/policy/policy-fields'
import { CHARGE_PARTS, sumParts } from '@/lib/core/replay/charged/explain-charges'
import { PRICE_KINDS, type SheetPrice } from '@/lib/core/replay/price-sheet'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import type { ToolCount, WrittenFacts } from '@/lib/core/report/report-facts'
import type { ReportFact } from '@/lib/core/report/report-page'
import type { ReportTexts } from './report-sentences'

export function assumptions(texts: ReportTexts, facts: WrittenFacts): string[] {
  const { t, format } = texts
  const { cache, replayed, measured } = facts
  const answersCost = replayed.after.costs.output
  return [
    t('assumptions.steps'),
    ...cacheAssumptions(texts, facts),
    ...(cache.rule.kind === 'none'
      ? []
      : [t(`assumptions.cache.${facts.hasExpiry ? 'expiry' : 'noExpiry'}`)]),
    t('assumptions.answers', {
      tokens: format.number(replayed.outputTokens),
      requests: replayed.requests.length,
      hasCost: answersCost === undefined ? 'no' : 'yes',
      cost: format.money(answersCost),
    }),
    countingAssumption(texts, facts),
    ...(measured.nonTextParts > 0 ? [t('assumptions.nonText', { n: measured.nonTextParts })] : []),
    ...(facts.changesByHour ? [t('assumptions.byHour')] : []),
  ]
}

/** The caching rule of a model, with its source and date. */
export function cacheAssumptions(
  { t, format, words }: Omit<ReportTexts, 'rule'>,
  { cache }: Pick<WrittenFacts, 'cache'>,
): string[] {
  const { rule } = cache
  return [
    rule.kind === 'none'
      ? t('assumptions.cache.none')
      : t(`assumptions.cache.${rule.kind}`, {
          label: words({ name: cache.label }),
          minimum: rule.minimumTokens,
          step: rule.kind === 'units' ? (rule.intervalTokens ?? 0) : Math.max(1, rule.stepTokens),
        }),
    ...(cache.origin === 'documented' && cache.source !== ''
      ? [t('assumptions.cache.source', { date: format.month(cache.date), source: cache.source })]
      : []),
    ...(cache.origin === 'documented' ? [] : [t(`assumptions.cache.${cache.origin}`)]),
  ]
}

export function countingAssumption(
  { t }: Pick<ReportTexts, 't'>,
  { counting, model }: Pick<WrittenFacts, 'counting' | 'model'>,
): string {
  return counting.isExact
    ? t('assumptions.tokensExact', { encoding: counting.encoding })
    : t('assumptions.tokensEstimate', { encoding: counting.encoding, model: model.name })
}

/** What was charged, and the parts of the difference to a plain replay. */
export function chargedFacts(
  { t, format }: ReportTexts,
  { charge, explained }: NonNullable<WrittenFacts['charged']>,
): ReportFact[] {
  const { inputTokens, inputCost, readTokens, writtenTokens, writtenHourTokens: hour } = charge
  const amount = (cost: number | undefined, tokens: number | undefined) =>
    t('charged.amount', { cost: format.money(cost), tokens: format.number(tokens) })
  const plain = explained.reduce((sum, request) => sum + (request.plain.costs.cached ?? 0), 0)
  const parts = sumParts(explained)
  const shown = CHARGE_PARTS.filter((part) => Math.abs(parts[part]) >= (inputCost ?? 0) / 1000)
  return [
    { name: t('charged.input'), value: amount(inputCost, inputTokens) },
    {
      name: t('charged.cache'),
      value: t('charged.cacheValue', {
        read: format.number(readTokens),
        written: format.number(writtenTokens),
        hour: (hour ?? 0) > 0 ? format.number(hour) : 'none',
      }),
    },
    { name: t('charged.output'), value: amount(charge.outputCost, charge.outputTokens) },
    ...(explained.length === 0
      ? []
      : [
          { name: t('charged.parts.plain'), value: format.money(plain, inputCost) },
          ...shown.map((part) => ({
            name: t(`charged.parts.${part}`),
            value: signedMoney(format, parts[part], inputCost),
          })),
        ]),
  ]
}

/** An amount with its sign, written like another amount. */
export function signedMoney(format: FigureFormat, value: number, beside?: number): string {
  return `${value < 0 ? '−' : '+'}${format.money(Math.abs(value), beside)}`
}

export function calibrationFacts(
  { t, format, words }: ReportTexts,
  { inUse, fit, estimateSource, isSetByUser }: NonNullable<WrittenFacts['calibration']>,
): ReportFact[] {
  const shown = inUse ?? fit
  const bases = [
    ...(inUse === undefined ? [t('calibration.off')] : []),
    ...(fit === undefined
      ? []
      : [
          t('calibration.fit', {
            requests: fit.requestsUsed,
            percent: format.number(Math.round(fit.residualPercent * 10) / 10),
          }),
        ]),
    ...(isSetByUser ? [t('calibration.set')] : []),
    ...(estimateSource === undefined
      ? []
      : [t('calibration.estimate', { source: words({ name: estimateSource }) })]),
  ]
  return [
    {
      name: t('calibration.unseen'),
      value: t('calibration.unseenValue', {
        head: format.number(shown?.headTokens),
        request: format.number(shown?.requestTokens),
      }),
    },
    { name: t('calibration.slope'), value: format.number((shown?.slope ?? 1) * 100) },
    { name: t('calibration.basis'), value: bases.join('; ') },
  ]
}

/** Settings of Schema 1, the batch and all changed settings, under their names in files. */
export function policyFacts(
  { t }: Pick<ReportTexts, 't'>,
  { policy, unnamed }: Pick<WrittenFacts, 'policy' | 'unnamed'>,
): ReportFact[] {
  return POLICY_FIELDS.flatMap((field): ReportFact[] => {
    const value = policy[field.key]
    const hidden = Object.hasOwn(unnamed, field.key)
      ? unnamed[field.key as keyof typeof unnamed]
      : 0
    if (hidden > 0)
      return [{ name: field.toml, value: t('policy.unnamed', { n: hidden }), isCode: true }]
    const isShown = !field.isExtension || field.key === 'batchTurns'
    if (!isShown && isSameSetting(value, field.defaultValue)) return []
    return [{ name: field.toml, value: settingText(value, t), isCode: true }]
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
  return [
    {
      name: t('prices.model'),
      value: model.provider === undefined ? model.name : `${model.name} (${model.provider})`,
    },
    ...PRICE_KINDS.map((kind) => ({
      name: t(`prices.${kind}`),
      value: priceText(texts, facts.prices[kind]),
    })),
    {
      name: t('prices.list'),
      value:
        priceList === undefined
          ? t('prices.custom')
          : t('prices.listValue', { ...priceList, date: format.day(priceList.date) }),
    },
    ...(pricingUrl === undefined ? [] : [{ name: t('prices.url'), value: pricingUrl }]),
    {
      name: t('prices.context'),
      value:
        model.contextTokens === undefined
          ? t('prices.unknown')
          : t('prices.contextValue', { tokens: format.number(model.contextTokens) }),
    },
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
  const fact = (name: string, { results, maskedResults, tokens }: Omit<ToolCount, 'name'>) => ({
    name,
    value: t('tools.value', { results, masked: maskedResults, tokens: format.number(tokens) }),
  })
  const shown = tools.length <= MOST_TOOLS ? tools : tools.slice(0, MOST_TOOLS - 1)
  const rest = tools.slice(shown.length)
  const sum = (of: (tool: ToolCount) => number) => rest.reduce((total, tool) => total + of(tool), 0)
  return [
    ...shown.map((tool) => fact(tool.name ?? t('tools.unknown'), tool)),
    ...(rest.length === 0
      ? []
      : [
          fact(t('tools.others', { n: rest.length }), {
            results: sum(({ results }) => results),
            maskedResults: sum(({ maskedResults }) => maskedResults),
            tokens: sum(({ tokens }) => tokens),
          }),
        ]),
  ]
}
