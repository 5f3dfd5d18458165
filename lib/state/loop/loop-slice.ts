/** State of the Tool calls drawer: its settings. */
import { DEFAULT_LOOP_SETTINGS, type LoopSettings } from './loop-settings'

export interface LoopSlice {
  readonly loop: { readonly settings: LoopSettings }
}

export const INITIAL_LOOP: LoopSlice = { loop: { settings: DEFAULT_LOOP_SETTINGS } }
