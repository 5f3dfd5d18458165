/**
 * The page's store, composed of one slice per feature. It holds what the user opened and chose, and the worker's
 * answers, each known by its source or job. Everything else is derived by selectors when it is needed.
 */
import { createStore } from 'zustand/vanilla'
import { isSameList } from '@/lib/core/conversation/same-list'
import { memoizeFor } from '@/lib/core/memoize-for'
import { REPAIR_LIMITS, type RepairSettings } from '@/lib/core/repair/repair-limits'
import type { QuestionName, Questions } from '@/lib/worker/jobs'
import { type CostsSlice, INITIAL_COSTS } from './costs/costs-slice'
import { type DocumentSlice, INITIAL_DOCUMENT } from './document/document-slice'
import { INITIAL_LOOP, type LoopSlice } from './loop/loop-settings'
import { INITIAL_NOTICES, type NoticesSlice } from './notices'
import { INITIAL_POLICY, type PolicySlice } from './policy/policy-slice'

export interface PlaygroundState
  extends DocumentSlice,
    PolicySlice,
    CostsSlice,
    LoopSlice,
    NoticesSlice {
  /** What the worker answered, known by the input it answers. */
  readonly answers: readonly {
    readonly name: QuestionName
    readonly input: object
    readonly output: unknown
  }[]
  /** Limits on the repair of one document. */
  readonly repairSettings: RepairSettings
  /** Pairs of a link that this version does not know; new links repeat them unchanged. */
  readonly unknownLinkPairs: readonly (readonly [string, string])[]
  /** Index of the conversation a link asks for, until its document is read. */
  readonly linkConversation?: number | undefined
  /** A transcript from a link that would replace the user's own, until the user decides. */
  readonly linkTranscript?: string | undefined
  /** The settings before a link was opened over the running page, as a fragment. */
  readonly beforeLink?: string | undefined
}

export function createPlaygroundStore() {
  return createStore<PlaygroundState>(() => ({
    ...INITIAL_DOCUMENT,
    ...INITIAL_POLICY,
    ...INITIAL_COSTS,
    ...INITIAL_LOOP,
    ...INITIAL_NOTICES,
    answers: [],
    repairSettings: REPAIR_LIMITS,
    unknownLinkPairs: [],
  }))
}

export type PlaygroundStore = ReturnType<typeof createPlaygroundStore>

export type Selector<Value> = (state: PlaygroundState) => Value

/** A selector whose value may be missing. */
interface Optional<Value> {
  readonly optional: Selector<Value>
}

type Value<Input> =
  Input extends Optional<infer Value>
    ? Value
    : Input extends Selector<infer Value>
      ? Exclude<Value, undefined>
      : never

type Values<Inputs extends readonly unknown[]> = { [Index in keyof Inputs]: Value<Inputs[Index]> }

/** For the state, the previewed and the deferred one, which can be older: with the mechanism that is tried, and without. */
const SLOTS = 6

/** Remembers the last results of a function by the identity of its inputs. */
export function memoize<Inputs extends readonly unknown[], Output>(
  make: (...inputs: Inputs) => Output,
  most = SLOTS,
): (...inputs: Inputs) => Output {
  /** Most recently used first. */
  let slots: readonly { readonly inputs: Inputs; readonly output: Output }[] = []
  return (...inputs) => {
    const known = slots.find((slot) => isSameList(slot.inputs, inputs))
    if (known !== undefined && known === slots[0]) return known.output
    const used = known ?? { inputs, output: make(...inputs) }
    slots = [used, ...slots.filter((slot) => slot !== used)].slice(0, most)
    return used.output
  }
}

/** Remembers results by the object that they are of, and the last ones by its other inputs. They are forgotten with it. */
export function memoizeOf<Owner extends object, Rest extends readonly unknown[], Output>(
  make: (owner: Owner, ...rest: Rest) => Output,
): (owner: Owner, ...rest: Rest) => Output {
  return (owner, ...rest) =>
    memoizeFor(owner, make, () => memoize((...others: Rest) => make(owner, ...others)))(...rest)
}

const NO_DOCUMENT = {}

/** What `make` makes for a document, once for each; it is forgotten with the document. */
export function perDocument<Made>(make: () => Made): Selector<Made> {
  return ({ read = NO_DOCUMENT }) => memoizeFor(read, make, make)
}

/**
 * A selector of what `make` makes of the values of other selectors, remembered by their identity. It is `missing` while
 * one of them is undefined, unless that one is `optional`.
 */
export function select<
  const Inputs extends readonly (Selector<unknown> | Optional<unknown>)[],
  Output,
  Missing = undefined,
>(
  inputs: Inputs,
  make: (...values: Values<Inputs>) => Output,
  missing = undefined as Missing,
): Selector<Output | Missing> {
  const rememberedOf = perDocument(() => memoize(make))
  return (state) => {
    const values: unknown[] = []
    for (const input of inputs) {
      const isNeeded = typeof input === 'function'
      const value = isNeeded ? input(state) : input.optional(state)
      if (isNeeded && value === undefined) return missing
      values.push(value)
    }
    return rememberedOf(state)(...(values as Values<Inputs>))
  }
}

/** Selects the part of the shown conversation; undefined where there is none. */
export function ofShown<Value>(
  allOf: Selector<readonly Value[] | undefined>,
): Selector<Value | undefined> {
  return (state) => allOf(state)?.[state.conversation]
}

/** Lets a selector be undefined among the inputs of another. */
export function optional<Value>(selector: Selector<Value>): Optional<Value> {
  return { optional: selector }
}

/** The states of the page, the deferred one and the compared policies have fewer inputs of a kind. */
export const MOST_INPUTS = 16

/** Selects the worker's answer to an input; undefined until it is there. */
export function answerTo<Name extends QuestionName>(
  inputOf: Selector<Questions[Name]['input'] | undefined>,
): Selector<Questions[Name]['output'] | undefined> {
  return (state) => {
    const input = inputOf(state)
    const answer = state.answers.find((one) => one.input === input)
    return answer?.output as Questions[Name]['output'] | undefined
  }
}
