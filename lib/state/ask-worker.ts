/** Asks the worker for what the page lacks of the counted document. */
import type { loadPriceBook } from '@/lib/core/replay/price-book'
import type { JobName, Jobs, Question, RunJob } from '@/lib/worker/jobs'
import { bookOf } from './costs/chosen-model'
import { repeatedCallsInputOf } from './loop/repeated-calls'
import { current, pinned } from './policy/policy-view'
import { repairInputOf } from './repair/document-repair'
import type { Selector } from './select'
import type { Answer, PlaygroundState, PlaygroundStore } from './store'
import { laterUsesInputOf } from './uses/later-uses'

type Row = {
  [Name in JobName]: readonly [name: Name, inputOf: Selector<Jobs[Name]['input'] | undefined>]
}[JobName]

/** What is asked in one job that streams its answers, most urgent first. */
const QUESTIONS: readonly Extract<Row, readonly [Question['name'], unknown]>[] = [
  ['countPlaceholders', current.placeholdersInputOf],
  ['prepareReplay', current.sessionInputOf],
  ['findRepeatedCalls', repeatedCallsInputOf],
  ['findLaterUses', laterUsesInputOf],
  ['losableUses', current.losableInputOf],
  ['countPlaceholders', pinned.placeholdersInputOf],
  ['prepareReplay', pinned.sessionInputOf],
  ['sweep', current.sweepInputOf],
  ['repair', repairInputOf],
]

/** A long session's replay is a job apart, so that a step of a drag does not wait for a sweep. */
const replayInputOf = (state: PlaygroundState) =>
  current.losableUsesOf(state) === undefined
    ? current.plainInputOf(state)
    : current.lossesInputOf(state)

const WANTED: readonly Row[] = [
  ...QUESTIONS,
  ['replay', current.plainInputOf],
  ['replay', current.lossesInputOf],
]

/** Asks whenever the state lacks an answer. Returns a function that loads the price list, which a counted document needs. */
export function askWorker(
  { getState: get, setState: set, subscribe }: PlaygroundStore,
  run: RunJob,
  loadPrices: typeof loadPriceBook,
): () => void {
  /** Inputs without an answer; they are asked again once the document was read or counted again. */
  const failed = new Set<object>()

  const isWanted = (name: JobName, input: object) =>
    WANTED.some(([other, inputOf]) => other === name && inputOf(get()) === input)

  /** Stores an answer that is still wanted, in place of those of its name that are not. */
  const store = (answer: Answer) => {
    const { name, input } = answer
    if (!isWanted(name, input)) return
    const kept = get().answers.filter(
      (other) => other.name !== name || (other.input !== input && isWanted(name, other.input)),
    )
    set({ answers: [...kept, answer] })
  }

  const isAnswered = (input: object) => get().answers.some((answer) => answer.input === input)

  const missing = (): Question[] => {
    const questions = new Map<object, Question>()
    for (const [name, inputOf] of QUESTIONS) {
      const input = inputOf(get())
      if (input === undefined || failed.has(input) || isAnswered(input)) continue
      questions.set(input, { name, input } as Question)
    }
    return [...questions.values()]
  }

  let asked: ReadonlySet<object> = new Set()

  const ask = async (): Promise<void> => {
    const { read } = get()
    const questions = missing()
    if (read === undefined || questions.every(({ input }) => asked.has(input))) return
    const own = new Set<object>(questions.map(({ input }) => input))
    asked = own
    let stored = 0
    const storeOutputs = (outputs: readonly unknown[] = []) => {
      for (; stored < outputs.length; stored++)
        store({ ...(questions[stored] as Question), output: outputs[stored] })
    }
    const input = { document: read.source.id, questions }
    const outcome = await run('analyse', input, (_, outputs) => storeOutputs(outputs as unknown[]))
    if (outcome.state === 'done') storeOutputs(outcome.output)
    if (asked !== own) return
    asked = new Set()
    // The worker ended with the question it was at; without a document it answers none.
    const unanswered = questions.slice(stored, outcome.state === 'crashed' ? stored + 1 : undefined)
    for (const { input } of unanswered) failed.add(input)
    void ask()
  }

  let isReplaying = false

  const replay = async (): Promise<void> => {
    const input = replayInputOf(get())
    if (isReplaying || input === undefined || failed.has(input) || isAnswered(input)) return
    isReplaying = true
    const outcome = await run('replay', input)
    isReplaying = false
    if (outcome.state === 'done') store({ name: 'replay', input, output: outcome.output })
    else failed.add(input)
    void replay()
  }

  let hasPrices = false
  const loadPriceList = () => {
    if (hasPrices) return
    hasPrices = true
    void loadPrices(new Date().toISOString().slice(0, 10)).then((priceBook) => set({ priceBook }))
  }

  subscribe((state, before) => {
    if (state.read !== before.read || state.counted !== before.counted) failed.clear()
    if (bookOf(state) === undefined && current.sessionInputOf(state) !== undefined) loadPriceList()
    void replay()
    void ask()
  })
  return loadPriceList
}
