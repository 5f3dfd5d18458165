/** The form of the next request. */
import type { ResultCode } from '@/lib/core/loop/call-result'
import { STYLE_MESSAGES, type StyleLanguage } from '@/lib/core/loop/loop-texts'
import { DEFAULT_HISTORY_MESSAGES } from '@/lib/core/loop/next-request'
import { type Problem, ReadError } from '@/lib/core/problem'
import { parseJsonTree } from '@/lib/core/text/json-tree'
import { type NumberRules, readTypedNumber } from '@/lib/core/text/typed-number'
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
  /** Undefined for the transcript's model, else the page's. */
  readonly model: string | undefined
  readonly isWithoutTools: boolean
  readonly stream: boolean
  /** As typed; empty for the provider's default. */
  readonly maxCompletionTokens: string
  /** As typed; empty for the provider's default. */
  readonly topP: string
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
  model: undefined,
  isWithoutTools: false,
  stream: false,
  maxCompletionTokens: '',
  topP: '',
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

export function requestModelOf(state: PlaygroundState, { model }: NextRequestInputs): string {
  if (model !== undefined) return model
  const { name } = modelNameOf(state)
  // Providers do not expect their name as a prefix.
  return conversationOf(state)?.model ?? name.slice(name.indexOf('/') + 1)
}

/** The limit of the answer's tokens; null if it is not a whole number from 1. */
export function completionLimitOf({ maxCompletionTokens: text }: NextRequestInputs) {
  return optionalNumber(text, { isWhole: true, minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
}

/** The share of likely tokens to sample from; null if it is not a number above 0 and up to 1. */
export function topPOf({ topP: text }: NextRequestInputs) {
  return optionalNumber(text, { isWhole: false, minimum: Number.MIN_VALUE, maximum: 1 })
}

function optionalNumber(
  text: string,
  rules: Omit<NumberRules, 'reader' | 'page'>,
): number | undefined | null {
  const isPage = typeof document !== 'undefined'
  const reader = isPage ? navigator.language : 'en'
  const page = isPage ? document.documentElement.lang : 'en'
  const typed = readTypedNumber(text, { ...rules, reader, page })
  return typed.state === 'number' ? typed.value : typed.state === 'empty' ? undefined : null
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
