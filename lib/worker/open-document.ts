/** The open document: it is counted, and what the page wants to know of it is answered. */
import type { ReadConversation } from '@/lib/core/conversation/conversation'
import type { ReadDocument } from '@/lib/core/formats/read-document'
import { findRepeatedCalls } from '@/lib/core/loop/find-repeated-calls'
import type { createArgumentRepair } from '@/lib/core/loop/signature'
import { repairDocumentInSteps } from '@/lib/core/repair/repair-document'
import type { Steps } from '@/lib/core/steps'
import type { TextSlices } from '@/lib/core/text/span'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { countConversationInSteps } from '@/lib/core/tokens/count-conversation'
import type { Encoding } from '@/lib/core/tokens/encoding'
import { type createRequestBuilder, withClock } from './build-request'
import { type CountHelpers, countPlaceholders } from './count-helpers'
import { modelOf } from './document-model'
import type { JobContext, Question, QuestionName, Questions, Wanted } from './jobs'
import { runSteps, withProgress } from './run-in-steps'
import { createSessionCosts } from './session-costs'

/** How each question is answered: at once or in steps. */
type Answers = {
  readonly [Name in QuestionName]: (
    input: Questions[Name]['input'],
  ) => Questions[Name]['output'] | Steps<Questions[Name]['output']>
}

export interface OpenDocument {
  readonly id: number
  readonly document: ReadDocument<TextSlices>
  readonly buildRequest: ReturnType<typeof createRequestBuilder>
  /** Repairs each argument text once. */
  readonly repairOnce: ReturnType<typeof createArgumentRepair>
  /** Of the conversations counted so far. */
  readonly counts: ConversationCounts[]
  /** Undefined until all are counted. */
  costs?: ReturnType<typeof createSessionCosts>
}

/** What is wanted of a document, which can change at any time. */
export interface Requests {
  wanted: Wanted
  /** Goes on where nothing was left to do. */
  wake: () => void
}

export function createDocumentService(encoding: Encoding, helpers: CountHelpers) {
  const { countTokens } = encoding

  const answersOf = ({ document, counts, costs, ...open }: OpenDocument): Answers => ({
    // Only placeholders are asked for before all is counted.
    ...(costs as NonNullable<typeof costs>),
    *countPlaceholders({ template }) {
      const counts: (readonly number[])[] = []
      for (const conversation of document.conversations)
        counts.push(yield* countPlaceholders(conversation, template, countTokens))
      return counts
    },
    buildRequest: (input) => open.buildRequest(input, Date.now()) ?? null,
    findRepeatedCalls: ({ conversation: at, options }) => {
      const conversation = document.conversations[at] as ReadConversation
      const counted = counts[at] as ConversationCounts
      return findRepeatedCalls(conversation, counted, countTokens, open.repairOnce, options)
    },
    repair: ({ settings }) => {
      const { source, format, conversations } = document
      const given = { text: source.text, format: format.id, conversations }
      return repairDocumentInSteps(given, withClock(settings))
    },
  })

  /** Counts a document and answers what is wanted of it, the most urgent first, until another one is open. */
  return async (
    own: OpenDocument,
    requests: Requests,
    isOpen: () => boolean,
    { onProgress, onPart = () => {}, pause }: JobContext,
  ): Promise<void> => {
    const { document, counts } = own
    const { conversations } = document

    function* answer({ id, name, input }: Question): Steps<true> {
      const output = (answersOf(own)[name] as Answers[QuestionName])(input as never)
      const answer = output !== null && 'next' in output ? yield* output as Steps<unknown> : output
      const { shown, questions } = requests.wanted
      requests.wanted = { shown, questions: questions.filter((other) => other.id !== id) }
      onPart({ name: 'answer', at: id, output: answer })
      return true
    }

    /** Begins with the conversation shown. What is counted already is known. */
    function* countAll(): Steps<true> {
      const allChars = conversations.reduce((sum, one) => sum + charsOf(one), 0)
      let countedShare = 0
      let first = 0
      let sent: number | undefined
      while (first < conversations.length) {
        const { shown, questions } = requests.wanted
        if (counts[shown] !== undefined && sent !== shown && conversations.length > 1) {
          onPart({ name: 'shown', at: shown, output: counts[shown] })
          sent = shown
        }
        for (const question of questions)
          if (question.name === 'countPlaceholders') yield* answer(question)
        const at = shown in conversations && counts[shown] === undefined ? shown : first
        const conversation = conversations[at] as ReadConversation
        const steps = withProgress(
          countConversationInSteps(conversation, countTokens),
          allChars,
          (share) => onProgress(countedShare + share),
        )
        let step = steps.next()
        for (; !step.done && requests.wanted.shown === shown; step = steps.next()) yield step.value
        if (!step.done) continue
        counts[at] = step.value
        countedShare += charsOf(conversation) / allChars
        while (counts[first] !== undefined) first++
      }
      return true
    }

    onPart({ name: 'model', at: 0, output: modelOf(document) })
    if (own.costs === undefined) {
      const endHelp = helpers.help(conversations)
      const goOn = () => pause().then(isOpen)
      if ((await runSteps(countAll(), goOn)) === undefined) return
      endHelp()
      encoding.forgetOld()
      own.costs = createSessionCosts(conversations, counts, countTokens)
    }
    onPart({ name: 'counts', at: 0, output: counts })
    const begun = new Map<number, Steps<true>>()
    for (; isOpen(); await pause()) {
      const [question] = requests.wanted.questions
      if (question === undefined) {
        await new Promise<void>((resolve) => {
          requests.wake = resolve
        })
        continue
      }
      // At a pause, a more urgent question may have come.
      const steps = begun.get(question.id) ?? answer(question)
      const isDone = await runSteps(steps, async () => false)
      if (isDone) begun.delete(question.id)
      else begun.set(question.id, steps)
    }
  }
}

function charsOf({ messages }: ReadConversation): number {
  return messages.reduce((sum, { chars }) => sum + chars, 0)
}
