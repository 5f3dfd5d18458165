/** State of the costs: model, prices, settings of the advice and the calibration, and the earlier request shown. */
import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import type { PriceBook } from '@/lib/core/replay/price-book'
import type { Tokens } from '@/lib/core/replay/prompt-cache'
import { type AdviceSettings, DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import type { SetMechanism } from '@/lib/core/share/link/settings-link'

/** Values that replace those of the fit. */
export interface CalibrationSetting {
  /** The id of the document that it is for. */
  readonly document: number
  readonly isOff?: boolean
  readonly headTokens?: Tokens | undefined
  readonly slope?: number | undefined
  readonly requestTokens?: Tokens | undefined
}

export interface CostsSlice {
  /** The model chosen by the user, such as `openai/gpt-5`; undefined for the transcript's, else the default. */
  readonly model: string | undefined
  /** Undefined until it is loaded: with the first model that is not the default, or after the first figures. */
  readonly priceBook: PriceBook | undefined
  /** The user's prices and cache rules. */
  readonly modelOverrides: OverridesByModel
  /** Overrides that those of a session file replaced. */
  readonly replacedOverrides: OverridesByModel
  /** How a setting is recommended; saved in local storage. */
  readonly advice: AdviceSettings
  /** What the user set of the calibration, for one document; undefined to use the fit. */
  readonly calibration: CalibrationSetting | undefined
  /** Index of the earlier request shown; undefined for the next request. */
  readonly request: number | undefined
  /** Ids of the mechanisms that a view compares; empty until one does. */
  readonly compared: readonly string[]
  /** The one that is open there, with the settings that the user tries. */
  readonly mechanism: SetMechanism | undefined
}

export const INITIAL_COSTS: CostsSlice = {
  model: undefined,
  priceBook: undefined,
  modelOverrides: {},
  replacedOverrides: {},
  advice: DEFAULT_ADVICE,
  calibration: undefined,
  request: undefined,
  compared: [],
  mechanism: undefined,
}
