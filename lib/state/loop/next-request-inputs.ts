/** The form of the next request. */
import type { ResultCode } from '@/lib/core/loop/call-result'
import { STYLE_MESSAGES, type StyleLanguage } from '@/lib/core/loop/loop-texts'
import { DEFAULT_HISTORY_MESSAGES } from '@/lib/core/loop/next-request'
import { type Problem, ReadError } from '@/lib/core/problem'
import { parseJsonTree } from '@/lib/core/text/json-tree'
import { modelNameOf } from '../costs/chosen-model'
import { conversationOf } from '../document/selectors'
import type { PlaygroundState } from '../store'

export type StyleChoice = StyleLanguage | 'custom' | 'none'

/** A result that the user gives a call; it replaces a recorded one. */
export interface CustomResult {
  /** The result, or the error message. */
  readonly text: string
  readonly isError: boolean
  /** Used for errors only. */
  readonly code: ResultCode
}

/** By the call's id in the request. */
export type CustomResults = ReadonlyMap<string, CustomResult>

export interface NextRequestInputs {
  readonly style: StyleChoice
  /** The user's style message. */
  readonly customStyle: string
  readonly historyMessages: number
  /** Empty for the usual one. */
  readonly model: string
  readonly isWithoutTools: boolean
  readonly stream: boolean
  /** Undefined for the provider's default. */
  readonly maxCompletionTokens: number | undefined
  /** Undefined for the provider's default. */
  readonly topP: number | undefined
  /** Writes results as JSON text with their time. */
  readonly dateResults: boolean
  /** By document and conversation. */
  readonly results: ReadonlyMap<string, CustomResults>
}

export const MOST_HISTORY = 100_000

export const INITIAL_INPUTS: NextRequestInputs = {
  style: 'en',
  customStyle: '',
  historyMessages: DEFAULT_HISTORY_MESSAGES,
  model: '',
  isWithoutTools: false,
  stream: false,
  maxCompletionTokens: undefined,
  topP: undefined,
  dateResults: false,
  results: new Map(),
}

/** The text of the style message; empty if it is left out. */
export function styleTextOf({ style, customStyle }: NextRequestInputs): string {
  if (style === 'none') return ''
  return style === 'custom' ? customStyle : STYLE_MESSAGES[style]
}

/** The language of what the model is told about calls that did not run: that of the style message. */
export function refusalLanguageOf({ style }: NextRequestInputs): StyleLanguage {
  return style === 'fr' ? 'fr' : 'en'
}

/** The model of the transcript, else that of the page. */
export function usualModelOf(state: PlaygroundState): string {
  const { name } = modelNameOf(state)
  // Providers do not expect their name as a prefix.
  return conversationOf(state)?.model ?? name.slice(name.indexOf('/') + 1)
}

/** How a result the user typed will be sent, as a key of the message catalogue, and why a text is not JSON. */
export function resultNote(result: CustomResult | undefined) {
  const note = <Kind extends string>(kind: Kind, problem?: Problem) => {
    return { kind, values: { code: result?.code ?? '' }, problem }
  }
  if (result === undefined) return note('notRun')
  if (result.isError) return note('isFailure')
  const text = result.text.trim()
  if (text === '') return note('isEmpty')
  if (!/^[[{]/.test(text)) return note('isText')
  try {
    parseJsonTree(result.text)
    return note('isJson')
  } catch (error) {
    if (error instanceof ReadError) return note('brokenJson', error.problem)
    throw error
  }
}
