import type { Calibration } from './fit-calibration'

export interface AssumedSlope {
  readonly slope: number
  readonly source: string
}

const MIGRATION_GUIDE = 'https://platform.claude.com/docs/en/about-claude/models/migration-guide'

/**
 * Tokens of Claude's tokenizers for one of o200k_base, by generation; estimates. The older one was measured on long tool
 * results of Opus and Sonnet 4.5 and 4.6, against the usage of their sessions. For the newer one, from Opus 4.7 on,
 * Anthropic states 1.0 to 1.35 times the tokens of the older; the middle is taken.
 */
const GENERATIONS: readonly (AssumedSlope & { readonly models: RegExp })[] = [
  {
    models: /claude-(?:opus-4[.-][789]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/i,
    slope: 1.35,
    source: MIGRATION_GUIDE,
  },
  { models: /claude/i, slope: 1.15, source: 'measured on sessions of Claude 4.5 and 4.6' },
]

/** The slope of a model before any usage is known; undefined where our encoding is that of the model, or nothing is known. */
export function assumedSlopeOf(model: string | undefined): AssumedSlope | undefined {
  return model === undefined ? undefined : GENERATIONS.find(({ models }) => models.test(model))
}

/** The calibration of a model whose sessions state no usage: an estimate; undefined where nothing is known. */
export function assumedCalibrationOf(model: string | undefined): Calibration | undefined {
  const assumed = assumedSlopeOf(model)
  return assumed && { headTokens: 0, slope: assumed.slope, requestTokens: 0 }
}
