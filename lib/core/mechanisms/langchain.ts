/**
 * `ClearToolUsesEdit` of LangChain, in JavaScript and in Python. Both look at the messages without the system prompt and
 * count about four characters for a token; Python does so for each message. JavaScript also leaves out results whose call
 * is not there. `persisted`: the history of the application has the edits of earlier requests, or the messages as they were.
 */

import { memoizeFor } from '../memoize-for'
import { parseJson } from '../text/json'
import { countCodePoints } from '../text/span'
import { callOf, clearResults, resultsBefore, withMore } from './clear-results'
import {
  charsOf,
  type HistoryCall,
  type HistoryMessage,
  measured,
  positionsOf,
  type SessionHistory,
  sumsOf,
} from './history'
import { isOn, type MessageEdit, namesOf, numberOf, type Settings, textOf } from './mechanism'
import { defineMechanism } from './mechanism-table'
import { pythonRepr } from './python-repr'

/** Positions that were cleared in an earlier request, if the history has them so. */
type State = readonly number[]

export const langchainJs = defineMechanism<State>(
  'langchain-js-clear-tool-uses',
  [],
  ({ history, end }, state, settings) => {
    const orphans = orphansOf(history).filter((at) => at < end)
    const jsCharsOf = (at: number) => jsChars(history.messages[at] as HistoryMessage)
    const chars = orphans.reduce(
      (sum, at) => sum - jsCharsOf(at),
      sumsOf(history, jsChars)[end] as number,
    )
    const argumentChars = (call: HistoryCall) => JSON.stringify(parsed(call)).length
    const savedBy = (cleared: State) => savedChars(history, cleared, settings, argumentChars)
    const tokensWith = (cleared: State) => Math.ceil((chars - savedBy(cleared)) / 4)
    const tokens = tokensWith(state)
    const systems = positionsOf(history, 'system').filter((at) => at < end).length
    const isTriggered =
      tokens >= numberOf(settings, 'trigger.tokens') &&
      end - systems - orphans.length >= numberOf(settings, 'trigger.messages')
    let cleared = state
    if (isTriggered) {
      const known = new Set(state)
      const excluded = namesOf(settings, 'excludeTools')
      const isOpen = (at: number) => !known.has(at) && !excluded.includes(toolOf(history, at))
      const candidates = resultsBefore(history, end).filter((at) => !orphans.includes(at))
      const kept = numberOf(settings, 'keep.messages')
      const old = candidates.slice(0, Math.max(0, candidates.length - kept))
      const others = kept < candidates.length ? candidates.slice(old.length).reverse() : []
      const more = old.filter(isOpen)
      for (const at of others) {
        const saved = Math.max(0, tokens - tokensWith([...state, ...more]))
        if (saved >= numberOf(settings, 'clearAtLeast')) break
        if (isOpen(at)) more.push(at)
      }
      cleared = withMore(state, more)
    }
    const placeholder = textOf(settings, 'placeholder')
    const edits = clearResults(history, cleared, placeholder, isOn(settings, 'clearToolInputs'))
    const removed = orphans.map((at): [number, MessageEdit] => [at, { isRemoved: true }])
    return {
      state: isOn(settings, 'persisted') ? cleared : [],
      edits: removed.length === 0 ? edits : new Map([...edits, ...removed]),
    }
  },
)

export const langchainPython = defineMechanism<State>(
  'langchain-py-clear-tool-uses',
  [],
  ({ history, end }, state, settings) => {
    const tokensWith = (cleared: State) =>
      (sumsOf(history, pythonTokens)[end] as number) - pythonSaved(history, cleared, settings)
    const tokens = tokensWith(state)
    const least = numberOf(settings, 'clear_at_least')
    const excluded = namesOf(settings, 'exclude_tools')
    const known = new Set(state)
    let cleared = state
    if (tokens > numberOf(settings, 'trigger')) {
      const candidates = resultsBefore(history, end)
      const more: number[] = []
      const old = Math.max(0, candidates.length - numberOf(settings, 'keep'))
      for (const at of candidates.slice(0, old)) {
        if (known.has(at) || !isOfLastAnswer(history, at) || excluded.includes(toolOf(history, at)))
          continue
        more.push(at)
        if (least > 0 && tokens - tokensWith([...state, ...more]) >= least) break
      }
      cleared = withMore(state, more)
    }
    const placeholder = textOf(settings, 'placeholder')
    return {
      state: isOn(settings, 'persisted') ? cleared : [],
      edits: clearResults(history, cleared, placeholder, isOn(settings, 'clear_tool_inputs')),
    }
  },
)

/** Results whose call is not in the history before them, by position. */
function orphansOf(history: SessionHistory): readonly number[] {
  return memoizeFor(history, orphansOf, () =>
    positionsOf(history, 'tool').filter((at) => callAt(history, at) === undefined),
  )
}

/** The call of a result; LangChain has none if its arguments are no JSON. */
function callAt(history: SessionHistory, result: number): HistoryCall | undefined {
  const found = callOf(history, result)
  const call = found && history.messages[found.at]?.calls[found.position]
  return call === undefined || parsed(call) === undefined ? undefined : call
}

/** True if the call of a result is in the last answer before it. */
function isOfLastAnswer(history: SessionHistory, result: number): boolean {
  const { at } = callOf(history, result) ?? {}
  if (at === undefined || callAt(history, result) === undefined) return false
  return history.messages.slice(at + 1, result).every(({ role }) => role !== 'assistant')
}

function toolOf(history: SessionHistory, result: number): string {
  return callAt(history, result)?.name ?? ''
}

function parsed(call: HistoryCall): unknown {
  return memoizeFor(call, parsed, () => parseJson(call.arguments))
}

/** Characters that cleared results save, and their arguments where these are cleared too. */
function savedChars(
  history: SessionHistory,
  cleared: State,
  settings: Settings,
  argumentChars: (call: HistoryCall) => number,
): number {
  const { length } = textOf(settings, 'placeholder')
  return cleared.reduce((sum, at) => {
    const { content } = history.messages[at] as HistoryMessage
    const call = isOn(settings, 'clearToolInputs') ? callAt(history, at) : undefined
    return sum + content.length - length + (call === undefined ? 0 : argumentChars(call) - 2)
  }, 0)
}

function toolCalls({ calls }: HistoryMessage): object[] {
  return calls.flatMap((call) => {
    const args = parsed(call)
    if (args === undefined) return []
    return [{ name: call.name, args, id: call.id ?? '', type: 'tool_call' }]
  })
}

function jsChars(message: HistoryMessage): number {
  if (message.role === 'system') return 0
  const calls = toolCalls(message)
  const asked = calls.length === 0 ? 0 : JSON.stringify(calls).length
  return message.content.length + asked + (message.callId?.length ?? 0)
}

const ROLES = { system: '', user: 'user', assistant: 'assistant', tool: 'tool' } as const

function pythonTokens(message: HistoryMessage): number {
  return message.role === 'system' ? 0 : Math.ceil(measured(message, pythonChars) / 4) + 3
}

function pythonChars(message: HistoryMessage): number {
  const calls = toolCalls(message)
  const asked = calls.length === 0 ? 0 : countCodePoints(pythonRepr(calls))
  return charsOf(message) + asked + (message.callId?.length ?? 0) + ROLES[message.role].length
}

/** Tokens that cleared results save: each message is rounded up by itself. */
function pythonSaved(history: SessionHistory, cleared: State, settings: Settings): number {
  const { length } = textOf(settings, 'placeholder')
  const savedIn = (at: number, chars: number) => {
    const all = measured(history.messages[at] as HistoryMessage, pythonChars)
    return Math.ceil(all / 4) - Math.ceil((all - chars) / 4)
  }
  const saved = cleared.reduce(
    (sum, at) => sum + savedIn(at, charsOf(history.messages[at] as HistoryMessage) - length),
    0,
  )
  if (!isOn(settings, 'clear_tool_inputs')) return saved
  const asked = new Map<number, number>()
  for (const result of cleared) {
    const call = callAt(history, result)
    const { at = -1 } = callOf(history, result) ?? {}
    if (call) asked.set(at, (asked.get(at) ?? 0) + countCodePoints(pythonRepr(parsed(call))) - 2)
  }
  return [...asked].reduce((sum, [at, chars]) => sum + savedIn(at, chars), saved)
}
