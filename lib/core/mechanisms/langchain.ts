/**
 * `ClearToolUsesEdit` of LangChain, in JavaScript and in Python. Both look at the messages without the system prompt and
 * count about four characters for a token; Python does so for each message. JavaScript also leaves out results whose call
 * is not there. `persisted`: the history of the application has the edits of earlier requests, or the messages as they were.
 */

import { memoizeFor } from '../memoize-for'
import { parseJson } from '../text/json'
import { countCodePoints } from '../text/span'
import {
  callOf,
  clearResults,
  firstOf,
  positionsBefore,
  resultsBefore,
  withMore,
} from './clear-results'
import type { HistoryCall, HistoryMessage, SessionHistory } from './history'
import { charsOf, measured, positionsOf, sumsOf } from './history'
import { isOn, type MessageEdit, namesOf, numberOf, type Settings, textOf } from './mechanism'
import { defineMechanism } from './mechanism-table'
import { pythonRepr } from './python-repr'

/** Positions that were cleared in an earlier request, if the history has them so. */
type State = readonly number[]

export const langchainJs = defineMechanism<State>(
  'langchain-js-clear-tool-uses',
  [],
  ({ history, end }, state, settings) => {
    const isAnswer = (at: number) => callAt(history, at) !== undefined
    const orphans = positionsBefore(
      clearableOf(history, 'no', (at) => !isAnswer(at)),
      end,
    )
    const chars = orphans.reduce(
      (sum, at) => sum - measured(history.messages[at] as HistoryMessage, jsChars),
      sumsOf(history, jsChars)[end] as number,
    )
    const savedBy = (cleared: State) => savedChars(history, cleared, settings)
    let saved = savedBy(state)
    const tokens = Math.ceil((chars - saved) / 4)
    const systems = positionsBefore(positionsOf(history, 'system'), end).length
    const isTriggered =
      tokens >= numberOf(settings, 'trigger.tokens') &&
      end - systems - orphans.length >= numberOf(settings, 'trigger.messages')
    let cleared = state
    if (isTriggered) {
      const excluded = namesOf(settings, 'excludeTools')
      const clearable = clearableOf(history, `JavaScript ${excluded.join('\n')}`, (at) => {
        return isAnswer(at) && !isOf(history, at, excluded)
      })
      const candidates = positionsBefore(clearableOf(history, 'answers', isAnswer), end)
      const keptFrom = candidates.length - numberOf(settings, 'keep.messages')
      const old = positionsBefore(clearable, keptFrom > 0 ? (candidates[keptFrom] ?? end) : 0)
      const known = new Set(state)
      const more = state.length === 0 ? old : old.filter((at) => !known.has(at))
      saved += savedBy(more)
      const newer: number[] = []
      for (const at of keptFrom > 0 ? candidates.slice(keptFrom).reverse() : []) {
        const less = Math.max(0, tokens - Math.ceil((chars - saved) / 4))
        if (less >= numberOf(settings, 'clearAtLeast')) break
        if (known.has(at) || isOf(history, at, excluded)) continue
        newer.push(at)
        saved += savedBy([at])
      }
      cleared = state.length + newer.length === 0 ? more : withMore(state, [...more, ...newer])
      // Steps are faster with the same list.
      if (cleared.at(-1) === clearable[cleared.length - 1])
        cleared = firstOf(clearable, cleared.length)
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
    const excluded = namesOf(settings, 'exclude_tools')
    const clearable = clearableOf(history, `Python ${excluded.join('\n')}`, (at) => {
      return isOfLastAnswer(history, at) && !isOf(history, at, excluded)
    })
    const saved = pythonSavings(history, clearable, settings)
    const before = saved[state.length] as number
    const tokens = (sumsOf(history, pythonTokens)[end] as number) - before
    const least = numberOf(settings, 'clear_at_least')
    // The oldest are cleared first, so what is cleared is always the start of the list.
    let count = state.length
    if (tokens > numberOf(settings, 'trigger')) {
      const candidates = resultsBefore(history, end)
      const until = candidates[Math.max(0, candidates.length - numberOf(settings, 'keep'))] ?? end
      while ((clearable[count] as number) < until) {
        count++
        if (least > 0 && (saved[count] as number) - before >= least) break
      }
    }
    const cleared = firstOf(clearable, count)
    const placeholder = textOf(settings, 'placeholder')
    return {
      state: isOn(settings, 'persisted') ? cleared : [],
      edits: clearResults(history, cleared, placeholder, isOn(settings, 'clear_tool_inputs')),
    }
  },
)

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

/** True if the call of a result is of one of some tools. */
function isOf(history: SessionHistory, result: number, tools: readonly string[]): boolean {
  return tools.some((tool) => tool === callAt(history, result)?.name)
}

function parsed(call: HistoryCall): unknown {
  return memoizeFor(call, parsed, () => parseJson(call.arguments))
}

/** Characters that cleared results save, and their arguments where these are cleared too. */
function savedChars(history: SessionHistory, cleared: State, settings: Settings): number {
  const { length } = textOf(settings, 'placeholder')
  const hasInputs = isOn(settings, 'clearToolInputs')
  return memoizeFor(cleared, `saved ${length} ${hasInputs}`, () =>
    cleared.reduce((sum, at) => {
      const { content } = history.messages[at] as HistoryMessage
      const call = hasInputs ? callAt(history, at) : undefined
      const asked = call === undefined ? 0 : JSON.stringify(parsed(call)).length - 2
      return sum + content.length - length + asked
    }, 0),
  )
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

/** By how many of the results are cleared: the tokens that they save. Each message is rounded up by itself. */
function pythonSavings(history: SessionHistory, clearable: State, settings: Settings): State {
  const { length } = textOf(settings, 'placeholder')
  const hasInputs = isOn(settings, 'clear_tool_inputs')
  const savedIn = (at: number, chars: number) => {
    const all = measured(history.messages[at] as HistoryMessage, pythonChars)
    return Math.ceil(all / 4) - Math.ceil((all - chars) / 4)
  }
  return memoizeFor(clearable, `${length} ${hasInputs}`, () => {
    /** By message with calls of these results: the characters that their arguments save. */
    const asked = new Map<number, number>()
    const sums = [0]
    for (const result of clearable) {
      let saved = savedIn(result, charsOf(history.messages[result] as HistoryMessage) - length)
      if (hasInputs) {
        const at = callOf(history, result)?.at as number
        const call = callAt(history, result) as HistoryCall
        const [had, chars] = [asked.get(at) ?? 0, countCodePoints(pythonRepr(parsed(call))) - 2]
        asked.set(at, had + chars)
        saved += savedIn(at, had + chars) - savedIn(at, had)
      }
      sums.push((sums.at(-1) as number) + saved)
    }
    return sums
  })
}

/** Positions of the results that can be cleared: the same list each time. */
function clearableOf(history: SessionHistory, key: string, can: (at: number) => boolean): State {
  return memoizeFor(history, `clearable ${key}`, () => positionsOf(history, 'tool').filter(can))
}
