/**
 * The documented cache rule of each model family, with its source. Users can override them. The pages were read in
 * November 2026 in stored copies of summer and autumn 2026.
 * Factors are relative to the input price and apply only where the price data has no price for reads or writes.
 */
import { vendorModelName } from '../tokens/model-families'
import type { CacheRule, LookBack } from './prompt-cache'
import type { Tokens } from './units'

export interface CacheFamily {
  readonly id: string
  readonly label: string
  /** Matches the vendor's model names; undefined if a name does not determine that this rule applies. */
  readonly models: RegExp | undefined
  readonly rule: CacheRule
  /** Relative to the input price; undefined if there is no cache. */
  readonly readFactor: number | undefined
  readonly writeFactor: number | undefined
  /** The lifetime of cache entries that writes are priced for: `default` is five minutes or more. */
  readonly entryLife: 'default' | 'hour'
  readonly source: string
  /** Year and month in which the source was read, such as `2026-11`. */
  readonly date: string
}

const DATE = '2026-11'
const OPENAI = 'https://developers.openai.com/api/docs/guides/prompt-caching'
const ANTHROPIC = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'
const GEMINI = 'https://ai.google.dev/gemini-api/docs/caching'
const DEEPSEEK = 'https://api-docs.deepseek.com/guides/kv_cache'
const KIMI = 'https://forum.moonshot.ai/t/context-caching-upgrade-5-min-1-hour-ttl-options/613'
const XAI = 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching/usage-and-pricing'
const MISTRAL = 'https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching'
const MINIMAX = 'https://platform.minimax.io/docs/api-reference/text-prompt-caching'
const GLM = 'https://docs.z.ai/guides/capabilities/cache'
const QWEN = 'https://help.aliyun.com/zh/model-studio/context-cache'

type Row = Pick<CacheFamily, 'id' | 'label' | 'models' | 'rule' | 'source'> & {
  readonly factors: readonly [read: number, write: number]
  readonly entryLife?: CacheFamily['entryLife']
}

function row({ factors: [readFactor, writeFactor], ...rest }: Row): CacheFamily {
  return { entryLife: 'default', ...rest, readFactor, writeFactor, date: DATE }
}

function prefix(minimumTokens: Tokens, stepTokens: Tokens, lifetimeSeconds?: number): CacheRule {
  return { kind: 'prefix', minimumTokens, stepTokens, lifetimeSeconds }
}

function breakpoint(
  minimumTokens: Tokens,
  lookBack: LookBack | undefined,
  isHeadMarked = false,
  lifetimeSeconds?: number,
): CacheRule {
  return {
    kind: 'breakpoint',
    minimumTokens,
    stepTokens: 1,
    lookBack,
    isHeadMarked,
    lifetimeSeconds,
  }
}

/** The latest 80 breakpoints of a conversation are considered; by default each request sets one. */
const OPENAI_LOOK_BACK: LookBack = { unit: 'requests', count: 80 }
/** The 20 blocks up to and including a mark are considered; agents mark the head and the last message. */
const ANTHROPIC_LOOK_BACK: LookBack = { unit: 'blocks', count: 20 }

/** Sizes of Anthropic's models: the part of the id, the models, the minimum, and the price of reads. */
const CLAUDE_SIZES: readonly (readonly [string, RegExp, Tokens, number])[] = [
  ['512-read-2.5', /^claude-(fable|mythos)-5[.-]1/i, 512, 0.025],
  ['512-read-5', /^claude-(opus|sonnet)-5[.-]5/i, 512, 0.05],
  ['512', /^claude-((opus|fable|mythos)-5|haiku-5[.-]5)/i, 512, 0.1],
  ['2048', /^claude-(opus-4[.-]7|mythos-preview|haiku-3|3([.-]5)?-haiku)/i, 2048, 0.1],
  ['4096', /^claude-(opus-4[.-][56]|haiku-4[.-]5)/i, 4096, 0.1],
  // In spring 2026 pages gave 2,048 for Sonnet 4.6; since July the provider's own page gives 1,024.
  ['1024', /^claude/i, 1024, 0.1],
]

function anthropic(life: CacheFamily['entryLife']): CacheFamily[] {
  const isHour = life === 'hour'
  return CLAUDE_SIZES.map(([size, models, minimum, read]) =>
    row({
      id: `anthropic-${size}${isHour ? '-1h' : ''}`,
      label: `Anthropic, from ${minimum} tokens, ${isHour ? 'one hour' : 'five minutes'}${read === 0.1 ? '' : `, reads at ${read}`}`,
      // Users choose an hour; a model name does not determine the lifetime of cache entries.
      models: isHour ? undefined : models,
      rule: breakpoint(minimum, ANTHROPIC_LOOK_BACK, true, isHour ? 3600 : 300),
      factors: [read, isHour ? 2 : 1.25],
      entryLife: life,
      source: ANTHROPIC,
    }),
  )
}

/** No caching, or caching that is not used. */
export const NO_CACHE: CacheFamily = {
  id: 'none',
  label: 'No caching',
  models: undefined,
  rule: { kind: 'none' },
  readFactor: undefined,
  writeFactor: undefined,
  entryLife: 'default',
  source: '',
  date: DATE,
}

/** In the order in which a model name is looked up; the first match is used. */
export const CACHE_FAMILIES: readonly CacheFamily[] = [
  row({
    id: 'openai-6.1',
    label: 'OpenAI GPT-6.1',
    models: /^gpt-6\.1/i,
    rule: breakpoint(1024, OPENAI_LOOK_BACK),
    factors: [0.05, 1.25],
    source: OPENAI,
  }),
  row({
    id: 'openai-5.6',
    label: 'OpenAI GPT-5.6 and later',
    models: /^(gpt-5\.([6-9]|\d\d)|gpt-([6-9]|[12]\d))/i,
    rule: breakpoint(1024, OPENAI_LOOK_BACK),
    factors: [0.1, 1.25],
    source: OPENAI,
  }),
  row({
    id: 'openai-5',
    label: 'OpenAI GPT-5 to GPT-5.5',
    models: /^gpt-5/i,
    rule: prefix(1024, 128),
    factors: [0.1, 1],
    source: OPENAI,
  }),
  row({
    id: 'openai-4.1',
    label: 'OpenAI GPT-4.1, o3, o4-mini',
    models: /^(gpt-4\.1|o3(?!-mini)|o4)/i,
    rule: prefix(1024, 128),
    factors: [0.25, 1],
    source: OPENAI,
  }),
  row({
    id: 'openai-4o',
    label: 'OpenAI GPT-4o, o1, o3-mini',
    models: /^(gpt-4o|chatgpt-4o|o1|o3-mini)/i,
    rule: prefix(1024, 128),
    factors: [0.5, 1],
    source: OPENAI,
  }),
  ...anthropic('default'),
  ...anthropic('hour'),
  row({
    id: 'gemini-3',
    label: 'Gemini 3 and later',
    models: /^gemini-([3-9]|\d\d)/i,
    // The step is not documented, nor is a minimum for Gemini 4.
    rule: prefix(4096, 1),
    factors: [0.1, 1],
    source: GEMINI,
  }),
  row({
    id: 'gemini-2.5',
    label: 'Gemini 2.5',
    models: /^gemini-2\.5/i,
    rule: prefix(2048, 1),
    factors: [0.1, 1],
    source: GEMINI,
  }),
  row({
    id: 'deepseek-4',
    label: 'DeepSeek V4 and later',
    models: /^deepseek-(flash|v([4-9]|\d\d))/i,
    // Units also end at fixed intervals of long inputs. The interval is not documented; a user can set one.
    rule: { kind: 'units', minimumTokens: 64, intervalTokens: undefined },
    factors: [0.03, 1],
    source: DEEPSEEK,
  }),
  row({
    id: 'deepseek-3',
    label: 'DeepSeek before V4',
    models: /^deepseek/i,
    rule: prefix(64, 64),
    factors: [0.1, 1],
    source: 'https://api-docs.deepseek.com/news/news0802',
  }),
  row({
    id: 'kimi-k3',
    label: 'Kimi K3, five minutes',
    models: /^kimi-k([3-9]|\d\d)/i,
    // Kimi stores whole blocks and does not document their size; it was measured.
    rule: prefix(256, 256, 300),
    factors: [0.1, 1],
    source: KIMI,
  }),
  row({
    id: 'kimi-k3-1h',
    label: 'Kimi K3, one hour',
    models: undefined,
    rule: prefix(256, 256, 3600),
    factors: [0.1, 2],
    entryLife: 'hour',
    source: KIMI,
  }),
  row({
    id: 'kimi-k2.5',
    label: 'Kimi K2.5 to K2.8',
    models: /^kimi-k2\.[5-9]/i,
    rule: prefix(256, 256),
    factors: [0.17, 1],
    source: KIMI,
  }),
  row({
    id: 'kimi-k2',
    label: 'Kimi K2',
    models: /^(kimi-k2|moonshot)/i,
    rule: prefix(256, 256),
    factors: [0.25, 1],
    source: KIMI,
  }),
  row({
    id: 'xai',
    label: 'xAI Grok',
    models: /^grok/i,
    // The example of the documentation has no minimum and no step.
    rule: prefix(0, 1),
    factors: [0.25, 1],
    source: XAI,
  }),
  row({
    id: 'mistral',
    label: 'Mistral, with prompt_cache_key',
    models: /^(mistral|ministral|magistral|devstral|codestral|pixtral)/i,
    rule: prefix(64, 64),
    factors: [0.1, 1],
    source: MISTRAL,
  }),
  row({
    id: 'minimax-2.7',
    label: 'MiniMax M2.7 and later',
    models: /^minimax-m(2\.[7-9]|[3-9]|\d\d)/i,
    // The step is not documented.
    rule: prefix(512, 1),
    factors: [0.2, 1],
    source: MINIMAX,
  }),
  row({
    id: 'minimax-2',
    label: 'MiniMax M2 to M2.5',
    models: /^minimax-m2/i,
    rule: prefix(512, 1),
    factors: [0.1, 1],
    source: MINIMAX,
  }),
  row({
    id: 'glm',
    label: 'GLM',
    models: /^glm-([5-9]|4\.[5-9])/i,
    // The documentation recommends prefixes of 500 tokens and says that a hit usually costs half.
    rule: prefix(500, 1),
    factors: [0.5, 1],
    source: GLM,
  }),
  row({
    id: 'qwen',
    label: 'Qwen, implicit cache',
    models: /^(qwen|qwq)/i,
    rule: prefix(1024, 1),
    factors: [0.2, 1],
    source: QWEN,
  }),
  row({
    id: 'qwen-explicit',
    label: 'Qwen, explicit cache',
    models: undefined,
    rule: breakpoint(1024, ANTHROPIC_LOOK_BACK, true),
    factors: [0.1, 1.25],
    source: QWEN,
  }),
]

/** The family of a model such as `anthropic/claude-sonnet-5`, on any platform; undefined if no family matches. */
export function cacheFamilyOf(model: string | undefined): CacheFamily | undefined {
  if (model === undefined) return undefined
  const name = vendorModelName(model)
  return CACHE_FAMILIES.find(({ models }) => models?.test(name))
}

/** The family with an id, including `none`. */
export function cacheFamilyById(id: string): CacheFamily | undefined {
  return [NO_CACHE, ...CACHE_FAMILIES].find((family) => family.id === id)
}
