/** Named policies to start from. The messages name what converting windows to turns loses. Read November 2026. */
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import type { Replay } from '../replay/replay'

export interface Preset {
  readonly id: string
  /** Differences from Schema 1's default; masking is on. */
  readonly settings: Partial<MaskPolicy>
  /** Source of the numbers; undefined for this project's presets. */
  readonly source: string | undefined
  /** Keeps the newest results of this many tokens, and masks older ones once they have `least` tokens. */
  readonly tokens?: { readonly kept: number; readonly least: number }
}

const NO_EXCEPTIONS: Partial<MaskPolicy> = { keepErrors: false, keepLastKPerTool: 0 }

export const PRESETS = [
  { id: 'schema1', settings: {}, source: undefined },
  { id: 'tight', settings: { windowTurns: 3, neverGrow: true }, source: undefined },
  { id: 'cache_friendly', settings: { windowTurns: 8, batchTurns: 'auto' }, source: undefined },
  {
    id: 'complexity_trap',
    settings: { ...NO_EXCEPTIONS, windowTurns: 10 },
    source: 'https://arxiv.org/abs/2508.21433',
  },
  {
    id: 'swe_agent',
    settings: {
      ...NO_EXCEPTIONS,
      windowTurns: 5,
      placeholderTemplate: 'Old environment output: ({original_chars} characters omitted)',
    },
    source: 'https://swe-agent.com/latest/reference/history_processor_config/',
  },
  {
    id: 'openhands',
    settings: { ...NO_EXCEPTIONS, windowTurns: 50, placeholderTemplate: '<MASKED>' },
    source:
      'https://github.com/OpenHands/OpenHands/blob/011718233dd35181c3086cd66752773bfeb6334d/config.template.toml',
  },
  {
    id: 'anthropic',
    settings: { ...NO_EXCEPTIONS, windowTurns: 3, triggerTokens: 100_000, textParts: true },
    source: 'https://platform.claude.com/docs/en/build-with-claude/context-editing',
  },
  {
    id: 'langchain',
    settings: {
      ...NO_EXCEPTIONS,
      windowTurns: 3,
      triggerTokens: 100_000,
      textParts: true,
      placeholderTemplate: '[cleared]',
    },
    source: 'https://reference.langchain.com/javascript/langchain/index/ClearToolUsesEdit',
  },
  {
    id: 'gemini_cli',
    settings: { ...NO_EXCEPTIONS, textParts: true, neverGrow: true },
    source:
      'https://github.com/google-gemini/gemini-cli/blob/00b731958a3b583218743b03591e7596d8fb4506/packages/core/src/services/toolOutputMaskingService.ts',
    tokens: { kept: 50_000, least: 30_000 },
  },
  {
    id: 'opencode',
    settings: {
      textParts: true,
      errorRules: ['flag'],
      excludeTools: ['skill'],
      placeholderTemplate: '[Old tool result content cleared]',
    },
    source: 'https://github.com/sst/opencode/blob/dev/packages/opencode/src/session/compaction.ts',
    tokens: { kept: 40_000, least: 20_000 },
  },
] as const satisfies readonly Preset[]

/** Returns a preset's policy. One that counts tokens needs the tokens of each turn's results; undefined without. */
export function presetPolicy(
  { settings, tokens }: Preset,
  turnTokens: readonly number[] | undefined,
): MaskPolicy | undefined {
  const policy = { ...DEFAULT_POLICY, enabled: true, ...settings }
  if (tokens === undefined) return policy
  if (turnTokens === undefined || turnTokens.length === 0) return undefined
  const average = turnTokens.reduce((sum, count) => sum + count, 0) / turnTokens.length
  return {
    ...policy,
    windowTurns: turnsHolding(turnTokens, tokens.kept),
    batchTurns: Math.max(1, Math.round(tokens.least / Math.max(1, average))),
  }
}

/** Number of last turns with at most this many tokens: at least one, and more than all turns if all fit. */
function turnsHolding(turnTokens: readonly number[], most: number): number {
  let total = 0
  for (let turns = 0; turns < turnTokens.length; turns++) {
    total += turnTokens[turnTokens.length - 1 - turns] as number
    if (total > most) return Math.max(1, turns)
  }
  const average = Math.max(1, total / turnTokens.length)
  return Math.max(turnTokens.length, Math.floor(most / average))
}

/** True if none costs less than not masking; where there is no price, if none sends fewer tokens. */
export function savesNothing(all: readonly Pick<Replay, 'before' | 'after'>[]): boolean {
  return all.every(({ before, after }) => {
    const { cached = before.tokens } = before.costs
    return (after.costs.cached ?? after.tokens) >= cached
  })
}

/** Cheapest first, then those without a price, by tokens. The cheapest is marked if it costs less than not masking. */
export function cheapestFirst(all: readonly Pick<Replay, 'before' | 'after'>[]) {
  const rows = all.map(({ before, after: { tokens, costs } }, at) => {
    const cost = costs.cached ?? Number.MAX_VALUE
    return { at, cost, tokens, isCheapest: cost < (before.costs.cached ?? 0) }
  })
  rows.sort((a, b) => a.cost - b.cost || a.tokens - b.tokens)
  return rows.map((row) => ({ ...row, isCheapest: row.isCheapest && row.cost === rows[0]?.cost }))
}
