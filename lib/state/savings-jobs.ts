import type { loadPriceBook, PriceBook } from '@/lib/core/replay/price-book'
import type { Job, JobResult } from '@/lib/worker/protocol'
import { pinnedQuestionsOf } from './comparison'
import { factsQuestionOf, type Question, sweepQuestionsOf } from './savings'
import type { PlaygroundState, PlaygroundStore } from './store'

/** A dead worker gives undefined, and has said so. */
type RunJob = (job: Job) => Promise<JobResult | undefined>

/**
 * Asks the worker for facts and sweeps whenever the store holds no answer to what is asked now, one question at a time:
 * changes that come while it works are asked for together afterwards. Loads the prices once something is counted.
 */
export function followSavings(
  store: PlaygroundStore,
  run: RunJob,
  loadPrices: typeof loadPriceBook,
): () => void {
  let isAsking = false
  /** Since what is missing was last looked for. */
  let hasChanged = false
  let hasPrices = false
  /** Asked and not answered: not asked again until something else is. */
  let refused: string | undefined

  const ask = async (question: Question<Job>): Promise<JobResult | undefined> => {
    const result = await run(question.job)
    const isAnswer = result?.kind === 'facts' || result?.kind === 'swept'
    refused = isAnswer ? undefined : question.key
    return isAnswer ? result : undefined
  }

  /** What the policy compared with needs beside the one set. */
  const askPinned = async (state: PlaygroundState): Promise<boolean> => {
    const { placeholders, facts } = pinnedQuestionsOf(state)
    if (placeholders !== undefined) {
      const { document: source, template } = placeholders
      const result = await run(placeholders)
      if (result?.kind !== 'placeholders_counted') return false
      const counted = { source, template, tokens: result.tokens }
      store.setState(({ pinnedAnswers }) => ({
        pinnedAnswers: { ...pinnedAnswers, placeholders: counted },
      }))
      return true
    }
    if (facts === undefined || refused === facts.key) return false
    const result = await ask(facts)
    if (result?.kind !== 'facts') return false
    const answer = { key: facts.key, answer: result.facts }
    store.setState(({ pinnedAnswers }) => ({ pinnedAnswers: { ...pinnedAnswers, facts: answer } }))
    return true
  }

  const askNext = async (): Promise<boolean> => {
    const state = store.getState()
    const facts = factsQuestionOf(state)
    if (facts === undefined) return false
    if (!hasPrices) {
      hasPrices = true
      void loadPrices().then((priceBook: PriceBook) => store.setState({ priceBook }))
    }
    if (state.facts?.key !== facts.key) {
      if (refused === facts.key) return false
      const result = await ask(facts)
      if (result?.kind !== 'facts') return false
      store.setState({ facts: { key: facts.key, answer: result.facts } })
      return true
    }
    if (await askPinned(state)) return true
    const questions = sweepQuestionsOf(state)
    if (questions === undefined) return false
    for (const name of ['grid', 'own'] as const) {
      const question = questions[name]
      if (question === undefined || state.sweeps[name]?.key === question.key) continue
      if (refused === question.key) return false
      const result = await ask(question)
      if (result?.kind !== 'swept') return false
      const answer = { key: question.key, answer: result.sweep }
      store.setState(({ sweeps }) => ({ sweeps: { ...sweeps, [name]: answer } }))
      return true
    }
    return false
  }

  const askAll = async () => {
    hasChanged = true
    if (isAsking) return
    isAsking = true
    try {
      while (hasChanged) {
        hasChanged = false
        while (await askNext());
      }
    } finally {
      isAsking = false
    }
  }

  return store.subscribe(() => void askAll())
}
