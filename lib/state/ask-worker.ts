/** Tells the worker what the page lacks of the open document, and stores its answers. */
import { memoizeFor } from '@/lib/core/memoize-for'
import type { loadPriceBook } from '@/lib/core/replay/price-book'
import type { Part, Question, QuestionName, Questions, Wanted } from '@/lib/worker/jobs'
import { bookOf } from './costs/chosen-model'
import { mainCurveInputOf, mechanismInputsOf, sentInputOf } from './costs/tried-mechanism'
import { repeatedCallsInputOf } from './loop/found-repeats'
import { nextRequestInputOf } from './loop/next-request'
import { current, offered, type PolicyView, pinned } from './policy/policy-view'
import { previewedOf } from './policy/preview'
import { repairInputOf } from './repair/document-repair'
import type { PlaygroundState, PlaygroundStore, Selector } from './store'
import { laterUsesInputOf } from './uses/later-uses'

type Row = {
  [Name in QuestionName]: readonly [Name, Selector<Questions[Name]['input'] | undefined>]
}[QuestionName]

const rowsOf = (view: PolicyView): readonly Row[] => [
  ['countPlaceholders', view.placeholdersInputOf],
  ['prepareReplay', view.sessionInputOf],
  [
    'replay',
    (state) =>
      (view.losableUsesOf(state) === undefined ? view.plainInputOf : view.lossesInputOf)(state),
  ],
  ['losableUses', view.losableInputOf],
]

/** Most urgent first. */
const QUESTIONS: readonly Row[] = [
  ...rowsOf(current).slice(0, 3),
  ['buildRequest', nextRequestInputOf],
  ['findRepeatedCalls', repeatedCallsInputOf],
  ['findLaterUses', laterUsesInputOf],
  ['losableUses', current.losableInputOf],
  ...rowsOf(pinned),
  ['sweep', current.sweepInputOf],
  ['limit', current.limitInputOf],
  ...offered.flatMap(rowsOf),
  ['repair', repairInputOf],
  ['sentRequest', sentInputOf],
]

let nextId = 1
const idOf = (input: object): number => memoizeFor(input, idOf, () => nextId++)

/** Each input once, with those that have an answer. */
function questionsOf(state: PlaygroundState): readonly Question[] {
  const questions = new Map<object, Question>()
  for (const each of new Set([state, previewedOf(state)]))
    for (const [name, inputOf] of QUESTIONS) {
      const input = inputOf(each)
      if (input !== undefined) questions.set(input, { id: idOf(input), name, input } as Question)
    }
  const curve = mainCurveInputOf(state)
  for (const input of mechanismInputsOf(state)) {
    questions.set(input, { id: idOf(input), name: 'mechanism', input })
    // After the mechanism that is tried, which is the first.
    if (curve !== undefined)
      questions.set(curve, { id: idOf(curve), name: 'mechanismCurve', input: curve })
  }
  return [...questions.values()]
}

/** Calls `want` whenever the page lacks something else. `loadPriceList` loads the prices, which a counted document needs. */
export function askWorker(
  { getState: get, setState: set, subscribe }: PlaygroundStore,
  want: (document: number, wanted: Wanted) => void,
  loadPrices: typeof loadPriceBook,
) {
  /** Questions with which the worker ended; they are asked again once the document was read or counted again. */
  const failed = new Set<number>()
  let asked: Wanted = { shown: 0, questions: [] }

  const missing = (state: PlaygroundState): Wanted['questions'] => {
    const answered = new Set(state.answers.map(({ input }) => input))
    return questionsOf(state).filter(({ id, input }) => !failed.has(id) && !answered.has(input))
  }

  let hasPrices = false
  const loadPriceList = () => {
    if (hasPrices) return
    hasPrices = true
    void loadPrices(new Date().toISOString().slice(0, 10)).then((priceBook) => set({ priceBook }))
  }

  subscribe((state, before) => {
    const isOther = state.read !== before.read || state.counted !== before.counted
    if (isOther) failed.clear()
    if (bookOf(state) === undefined && current.sessionInputOf(state) !== undefined) loadPriceList()
    const wanted = { shown: state.conversation, questions: missing(state) }
    const known = new Set(isOther ? [] : asked.questions.map(({ id }) => id))
    const isKnown =
      wanted.shown === asked.shown && wanted.questions.every(({ id }) => known.has(id))
    // An answer that comes while it is not wanted is dropped, and asked for again.
    asked = wanted
    if (!isKnown && state.read !== undefined) want(state.read.source.id, wanted)
  })

  return {
    loadPriceList,
    /** What is wanted of a text that is opened; nothing is asked of one that is not shown yet. */
    wantedOf: (isShown: boolean): Wanted => {
      return { shown: get().conversation, questions: isShown ? missing(get()) : [] }
    },
    /** Stores an answer that is still wanted, in place of those of its name that are not. */
    store: ({ at, output }: Part): void => {
      const wanted = questionsOf(get())
      const question = wanted.find(({ id }) => id === at)
      if (question === undefined) return
      const { name, input } = question
      const inputs = new Set<object>(wanted.map((one) => one.input))
      inputs.delete(input)
      const kept = get().answers.filter((one) => one.name !== name || inputs.has(one.input))
      set({ answers: [...kept, { name, input, output }] })
    },
    /** Asks the most urgent question no more, which the worker was at when it ended. */
    giveUpFirst: (): void => {
      const [first] = missing(get())
      if (first !== undefined) failed.add(first.id)
    },
  }
}
