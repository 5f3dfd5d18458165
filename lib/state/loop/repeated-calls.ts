/** Repeated calls in the conversation shown: the worker finds them once it is counted, and again whenever a limit changes. */
import { ALL_GUARDS, type Guard } from '@/lib/core/loop/tool-call-manager'
import { countsOf } from '../document/selectors'
import { answerTo, select } from '../select'
import type { PlaygroundStore } from '../store'
import {
  DEFAULT_LOOP_SETTINGS,
  type LoopField,
  type LoopSettings,
  withLoopField,
} from './loop-settings'

/** The input of the job; undefined until the document is counted. */
export const repeatedCallsInputOf = select(
  [
    ({ read, conversation }) => read?.model.conversations[conversation] && read.source.id,
    ({ conversation }) => conversation,
    ({ loop }) => loop.settings,
    countsOf,
  ],
  (document, conversation, options) => ({ document, conversation, options }),
)

/** The report on the shown conversation; undefined until the worker answers. */
export const loopReportOf = answerTo<'findRepeatedCalls'>(repeatedCallsInputOf)

export function createLoopActions({ setState: set }: PlaygroundStore) {
  const change = (next: (settings: LoopSettings) => LoopSettings) =>
    set(({ loop }) => ({ loop: { ...loop, settings: next(loop.settings) } }))
  return {
    setGuard: (guard: Guard, isOn: boolean) =>
      change((settings) => ({ ...settings, guards: { ...settings.guards, [guard]: isOn } })),
    /** Sets a limit, in its field's unit; it is limited to the field's bounds. */
    setLoopField: (field: LoopField, value: number) =>
      change((settings) => withLoopField(settings, field, value)),
    resetLoop: () => change(() => ({ ...DEFAULT_LOOP_SETTINGS, guards: ALL_GUARDS })),
  }
}
