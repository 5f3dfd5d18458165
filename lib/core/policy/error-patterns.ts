/**
 * A user's own literal texts that mark a result as an error. They are found by the automaton of Aho and Corasick: one
 * step for each character of a result, whatever the texts are. https://doi.org/10.1145/360825.360855
 */
import type { TextSpan } from '../text/span'

interface State {
  readonly next: Map<number, State>
  /** The state of the longest other text that ends here; undefined for the root. */
  fallback: State | undefined
  /** Length of a pattern that ends here; 0 if none does. */
  length: number
}

const automata = new WeakMap<readonly string[], State>()
/** Results stay as they were read, so each text is searched once for the same patterns. */
const searched = new WeakMap<
  object,
  { readonly patterns: readonly string[]; readonly has: boolean }
>()

/** True if the text of a result contains one of the patterns; remembered by result. */
export function hasPattern(result: object, patterns: readonly string[], textOf: () => string) {
  if (patterns.length === 0) return false
  const known = searched.get(result)
  if (known?.patterns === patterns) return known.has
  const has = findPattern(textOf(), patterns) !== undefined
  searched.set(result, { patterns, has })
  return has
}

/** Returns the place of the pattern that ends first; ASCII letters match in either case. */
export function findPattern(text: string, patterns: readonly string[]): TextSpan | undefined {
  const root = automata.get(patterns) ?? build(patterns)
  automata.set(patterns, root)
  let state = root
  for (let at = 0; at < text.length; at++) {
    state = step(state, folded(text, at))
    if (state.length > 0) return { start: at + 1 - state.length, end: at + 1 }
  }
  return undefined
}

function build(patterns: readonly string[]): State {
  const root: State = { next: new Map(), fallback: undefined, length: 0 }
  for (const pattern of patterns) {
    let state = root
    for (let at = 0; at < pattern.length; at++) {
      const code = folded(pattern, at)
      const known = state.next.get(code)
      const next = known ?? { next: new Map(), fallback: root, length: 0 }
      state.next.set(code, next)
      state = next
    }
    state.length = pattern.length
  }
  // Level by level: the fallback of a state needs those of shorter ones.
  const queue = [...root.next.values()]
  for (const state of queue) {
    for (const [code, next] of state.next) {
      next.fallback = step(state.fallback as State, code)
      if (next.length === 0) next.length = next.fallback.length
      queue.push(next)
    }
  }
  return root
}

function step(from: State, code: number): State {
  let state = from
  for (;;) {
    const next = state.next.get(code)
    if (next !== undefined) return next
    if (state.fallback === undefined) return state
    state = state.fallback
  }
}

/** The code unit at a place, with A to Z as a to z. */
function folded(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 65 && code <= 90 ? code + 32 : code
}
