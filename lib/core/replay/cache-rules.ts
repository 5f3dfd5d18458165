/**
 * The documented cache rule of each model family, read in November 2026, with its source. Users can override them.
 * Factors are relative to the input price and apply only where the price data has no price for reads or writes.
 */
import type { CacheRule, LookBack } from './prompt-cache'
import type { Tokens } from './units'

export interface CacheFamily {
  readonly id: string
  readonly label: string
  /** Matches model names without the prefix of a provider. */
  readonly models: RegExp
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
const KIMI = 'https://platform.moonshot.ai/docs/pricing/chat'

type Row = Pick<CacheFamily, 'id' | 'label' | 'models' | 'rule' | 'source'> & {
  readonly factors: readonly [read: number, write: number]
  readonly entryLife?: CacheFamily['entryLife']
}

function row({ factors: [readFactor, writeFactor], ...rest }: Row): CacheFamily {
  return { entryLife: 'default', ...rest, readFactor, writeFactor, date: DATE }
}

function prefix(minimumTokens: Tokens, stepTokens: Tokens): CacheRule {
  return { kind: 'prefix', minimumTokens, stepTokens }
}

function breakpoint(
  minimumTokens: Tokens,
  lookBack: LookBack | undefined,
  isHeadMarked = false,
): CacheRule {
  return { kind: 'breakpoint', minimumTokens, stepTokens: 1, lookBack, isHeadMarked }
}

/** The latest 80 breakpoints of a conversation are considered; by default each request sets one. */
const OPENAI_LOOK_BACK: LookBack = { unit: 'requests', count: 80 }
/** The 20 blocks up to and including a mark are considered; agents mark the head and the last message. */
const ANTHROPIC_LOOK_BACK: LookBack = { unit: 'blocks', count: 20 }

function anthropic(
  size: string,
  models: RegExp,
  minimum: Tokens,
  life: CacheFamily['entryLife'],
): CacheFamily {
  const isHour = life === 'hour'
  return row({
    id: `anthropic-${size}${isHour ? '-1h' : ''}`,
    label: `Anthropic, from ${minimum} tokens, ${isHour ? 'one hour' : 'five minutes'}`,
    models,
    rule: breakpoint(minimum, ANTHROPIC_LOOK_BACK, true),
    factors: [0.1, isHour ? 2 : 1.25],
    entryLife: life,
    source: ANTHROPIC,
  })
}

const CLAUDE_512 = /^claude-(opus|fable|mythos)-5/i
const CLAUDE_4096 = /^claude-(haiku-4[.-]5|opus-4[.-][567])/i
const CLAUDE = /^claude/i

/** No caching, or caching that is not used. */
export const NO_CACHE: CacheFamily = {
  id: 'none',
  label: 'No caching',
  models: /$^/,
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
    id: 'openai-5.6',
    label: 'OpenAI GPT-5.6 and later',
    models: /^(gpt-5\.([6-9]|\d\d)|gpt-([6-9]|\d\d))/i,
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
  anthropic('512', CLAUDE_512, 512, 'default'),
  anthropic('4096', CLAUDE_4096, 4096, 'default'),
  anthropic('1024', CLAUDE, 1024, 'default'),
  // Users choose these; a model name does not determine the lifetime of cache entries.
  anthropic('512', CLAUDE_512, 512, 'hour'),
  anthropic('4096', CLAUDE_4096, 4096, 'hour'),
  anthropic('1024', CLAUDE, 1024, 'hour'),
  row({
    id: 'gemini-3',
    label: 'Gemini 3 and later',
    models: /^gemini-([3-9]|\d\d)/i,
    // The step is not documented.
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
    models: /^deepseek-v([4-9]|\d\d)/i,
    // Cache units also end after each answer and, at undocumented points, inside long inputs: reads can be longer.
    rule: breakpoint(64, undefined),
    factors: [0.03, 1],
    source: DEEPSEEK,
  }),
  row({
    id: 'kimi-k3',
    label: 'Kimi K3',
    models: /^kimi-k([3-9]|\d\d)/i,
    rule: prefix(256, 256),
    factors: [0.1, 1],
    source: KIMI,
  }),
  row({
    id: 'kimi-k2.5',
    label: 'Kimi K2.5 to K2.7',
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
]

/** The family of a model such as `anthropic/claude-sonnet-5`; undefined if no family matches. */
export function cacheFamilyOf(model: string | undefined): CacheFamily | undefined {
  if (model === undefined) return undefined
  const name = model.slice(model.lastIndexOf('/') + 1)
  return CACHE_FAMILIES.find(({ models }) => models.test(name))
}

/** The family with an id, including `none`. */
export function cacheFamilyById(id: string): CacheFamily | undefined {
  return [NO_CACHE, ...CACHE_FAMILIES].find((family) => family.id === id)
}
