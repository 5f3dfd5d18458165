/** The part of the store that the Loop drawer is about. */
import type { LoopReport } from '@/lib/core/loop/loop-report'
import { DEFAULT_LOOP_SETTINGS, type LoopSettings } from './loop-settings'

export interface LoopState {
  readonly settings: LoopSettings
  /** What the worker found, known by the question's key. */
  readonly report: { readonly key: string; readonly answer: LoopReport } | undefined
}

export const INITIAL_LOOP: LoopState = { settings: DEFAULT_LOOP_SETTINGS, report: undefined }
