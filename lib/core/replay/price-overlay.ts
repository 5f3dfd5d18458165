/**
 * Prices that the bundled list lacks or has in an older state. Each row has its source and the day of its state. Pages were
 * read in stored copies. Where the provider's page was not among them, the source is a page that quotes it, and `isQuoted`
 * says so on the page.
 */
import { vendorModelName } from '../tokens/model-families'
import type { Tokens, UsdPerMillion } from './units'

/** A price, or one with another price for requests of more tokens. */
type OverlayPrice = UsdPerMillion | readonly [UsdPerMillion, above: Tokens, UsdPerMillion]

export interface OverlayPrices {
  readonly input: OverlayPrice
  readonly cachedRead?: OverlayPrice
  readonly cacheWrite?: OverlayPrice
  readonly cacheWriteHour?: OverlayPrice
  readonly output: OverlayPrice
  /** The last day of these prices; undefined if none is announced. */
  readonly until?: string
}

export interface OverlayModel {
  readonly providerId: string
  readonly providerName: string
  readonly id: string
  readonly name: string
  /** Other ids that the provider answers with the same model at the same prices. */
  readonly aliases: readonly string[]
  readonly contextWindow: Tokens | undefined
  /** Ascending by day. */
  readonly prices: readonly OverlayPrices[]
  /** True if these are the lower prices of a provider that charges more at some hours. */
  readonly changesByHour: boolean
  readonly source: string
  /** True if the source is not the provider's page. */
  readonly isQuoted?: boolean
  /** The day of the page's state. */
  readonly date: string
}

const CLAUDE = 'https://platform.claude.com/docs/en/models/haiku-5-5/overview'
const KIMI = {
  providerId: 'moonshotai',
  providerName: 'MoonshotAi',
  contextWindow: 1_048_576,
  changesByHour: false,
  // So does https://novita.ai/models/model-detail/moonshotai-kimi-k3.1-pro.
  source: 'https://docs.apiyi.com/en/api-capabilities/kimi-k3-1/overview',
  isQuoted: true,
  date: '2026-10-25',
} as const

export const PRICE_OVERLAY: readonly OverlayModel[] = [
  {
    providerId: 'openai',
    providerName: 'OpenAI',
    id: 'gpt-6.1-sol',
    name: 'GPT-6.1 Sol',
    aliases: ['gpt-6.1'],
    contextWindow: 1_050_000,
    prices: [
      {
        input: [2, 272_000, 4],
        cachedRead: [0.1, 272_000, 0.2],
        cacheWrite: [2.5, 272_000, 5],
        output: [10, 272_000, 15],
      },
    ],
    changesByHour: false,
    // So does https://docs.litellm.ai/blog/gpt_6_1_sol; both quote https://developers.openai.com/api/docs/models/gpt-6.1-sol.
    source: 'https://dev.to/hassann/how-to-use-gpt-61-sol-apl--45cg',
    isQuoted: true,
    date: '2026-10-01',
  },
  {
    providerId: 'anthropic',
    providerName: 'Anthropic',
    id: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    aliases: ['claude-haiku-5.5'],
    contextWindow: 1_000_000,
    prices: [
      {
        input: [0.1, 100_000, 0.5],
        cachedRead: [0.01, 100_000, 0.05],
        cacheWrite: [0.125, 100_000, 0.625],
        cacheWriteHour: [0.2, 100_000, 1],
        output: [0.5, 100_000, 2.5],
      },
    ],
    changesByHour: false,
    source: CLAUDE,
    date: '2026-10-07',
  },
  {
    providerId: 'anthropic',
    providerName: 'Anthropic',
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    aliases: ['claude-sonnet-5.5'],
    contextWindow: 1_000_000,
    // The page compares models: 2 and 10 dollars, reads at 5 %. The list takes this model for Sonnet 5.
    prices: [{ input: 2, cachedRead: 0.1, cacheWrite: 2.5, cacheWriteHour: 4, output: 10 }],
    changesByHour: false,
    source: CLAUDE,
    date: '2026-10-07',
  },
  {
    providerId: 'google',
    providerName: 'Google',
    id: 'gemini-4-argon',
    name: 'Gemini 4 Argon',
    aliases: ['gemini-4'],
    contextWindow: 1_048_576,
    // Prices of reads as quoted at https://github.com/BerriAI/litellm/discussions/46238.
    prices: [
      { input: 2, cachedRead: 0.1, output: 10, until: '2026-11-30' },
      { input: 4, cachedRead: 0.2, output: 20 },
    ],
    changesByHour: false,
    source: 'https://ai.google.dev/gemini-api/docs/generate-content/latest-model',
    date: '2026-10-14',
  },
  {
    providerId: 'deepseek',
    providerName: 'Deepseek',
    id: 'deepseek-flash',
    name: 'DeepSeek V4.1 Flash',
    aliases: ['deepseek-v4-flash', 'deepseek-v4-flash-vision-exp', 'deepseek-v4.1-flash'],
    contextWindow: 1_000_000,
    prices: [{ input: 0.15, cachedRead: 0.003, output: 0.6 }],
    changesByHour: true,
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    date: '2026-10-17',
  },
  {
    ...KIMI,
    id: 'kimi-k3.1-pro',
    name: 'Kimi K3.1 Pro',
    aliases: ['kimi-k3.1', 'kimi-k3-1', 'kimi-k3-1-pro'],
    prices: [{ input: 2, cachedRead: 0.2, output: 10 }],
  },
  {
    ...KIMI,
    id: 'kimi-k3.1-pro-highspeed',
    name: 'Kimi K3.1 Pro Highspeed',
    aliases: [],
    prices: [{ input: 4, cachedRead: 0.2, output: 20 }],
  },
  {
    providerId: 'x-ai',
    providerName: 'X AI',
    id: 'grok-4.7',
    name: 'Grok 4.7',
    aliases: [],
    contextWindow: 500_000,
    prices: [{ input: [2, 199_999, 4], cachedRead: [0.5, 199_999, 1], output: [6, 199_999, 12] }],
    changesByHour: false,
    // It quotes the model's page at docs.x.ai.
    source: 'https://apidog.com/blog/how-to-use-grok-4-7-api/',
    isQuoted: true,
    date: '2026-09-29',
  },
  {
    providerId: 'alibaba',
    providerName: 'Alibaba Cloud Model Studio',
    id: 'qwen3.8-max',
    name: 'Qwen3.8 Max',
    aliases: [],
    contextWindow: 1_000_000,
    prices: [{ input: 2, output: 6 }],
    changesByHour: false,
    // So does https://vercel.com/ai-gateway/models/qwen3.8-max-0902.
    source: 'https://dev.to/hassann/how-to-use-the-qwen-38-api-1cgm',
    isQuoted: true,
    date: '2026-08-31',
  },
  {
    providerId: 'alibaba',
    providerName: 'Alibaba Cloud Model Studio',
    id: 'qwen3.7-max',
    name: 'Qwen3.7 Max',
    aliases: [],
    contextWindow: 1_000_000,
    prices: [{ input: 2.5, cachedRead: 0.5, cacheWrite: 3.125, output: 7.5 }],
    changesByHour: false,
    // A public list of models and prices.
    source: 'https://github.com/anomalyco/models.dev',
    isQuoted: true,
    date: '2026-07-02',
  },
]

/** The row of a model's name; undefined if the overlay has none, or has it of another provider. */
export function overlayModelOf(name: string, providerId?: string): OverlayModel | undefined {
  const bare = vendorModelName(name).toLowerCase()
  return PRICE_OVERLAY.find(
    (model) =>
      (providerId === undefined || providerId === model.providerId) &&
      // A name can end with the date of a version.
      [model.id, ...model.aliases].some((id) => bare === id || isDated(bare, id)),
  )
}

function isDated(name: string, id: string): boolean {
  return name.startsWith(id) && /^-\d{4}/.test(name.slice(id.length))
}

/** The prices of a day, and whether they had ended before it without a known successor. */
export function overlayPricesOn(
  { prices }: Pick<OverlayModel, 'prices'>,
  day: string,
): { readonly prices: OverlayPrices; readonly hasEnded: boolean } {
  const current = prices.find(({ until }) => until === undefined || day <= until)
  const last = prices.at(-1) as OverlayPrices
  return { prices: current ?? last, hasEnded: current === undefined }
}
