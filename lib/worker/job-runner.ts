/** Handlers of the worker's jobs, and what it remembers between them. Node and tests run the same code inline. */
import type { ReadConversation } from '@/lib/core/conversation/conversation'
import { createUnpackBudget } from '@/lib/core/files/byte-sink'
import { unpack } from '@/lib/core/files/unpack'
import { recommendFleet } from '@/lib/core/fleet/recommend-fleet'
import type { SessionSums } from '@/lib/core/fleet/session-sums'
import { type ReadDocument, readDocument } from '@/lib/core/formats/read-document'
import { findRepeatedCalls } from '@/lib/core/loop/find-repeated-calls'
import { createArgumentRepair } from '@/lib/core/loop/signature'
import { problemOfReading } from '@/lib/core/problem'
import { repairDocumentInSteps } from '@/lib/core/repair/repair-document'
import type { RepairOptions, RepairSettings } from '@/lib/core/repair/repair-limits'
import { offerRepair } from '@/lib/core/repair/repair-source'
import { checkTemplateInSteps, type TemplateCheck } from '@/lib/core/results/check-template'
import type { TextSlices } from '@/lib/core/text/span'
import {
  type ConversationCounts,
  countConversationInSteps,
} from '@/lib/core/tokens/count-conversation'
import type { Encoding } from '@/lib/core/tokens/encoding'
import { createRequestBuilder } from './build-request'
import { type CountHelpers, countPlaceholders, createCountHelpers } from './count-helpers'
import { modelOf, openFile } from './document-model'
import type { JobName, Jobs, Outcome, Question, QuestionName, Questions, Wanted } from './jobs'
import { createFileMeasurer } from './measure-file'
import { createParquetJobs } from './parquet-jobs'
import { type JobContext, runSteps, type Steps, withProgress } from './run-in-steps'
import { createSessionCosts } from './session-costs'
import { recogniseDocument, tryRepair } from './text-jobs'

type Handlers = {
  readonly [Name in JobName]: (
    input: Jobs[Name]['input'],
    context: JobContext,
  ) => Outcome<Name> | Promise<Outcome<Name>>
}

const SUPERSEDED = { state: 'superseded' } as const

/** How each question is answered: at once or in steps. */
type Answers = {
  readonly [Name in QuestionName]: (
    open: OpenDocument,
    input: Questions[Name]['input'],
  ) => Questions[Name]['output'] | Steps<Questions[Name]['output']>
}

interface OpenDocument {
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

export function createJobRunner(
  encoding: Encoding,
  helpers: CountHelpers = createCountHelpers(encoding, () => {}),
) {
  const { countTokens } = encoding
  const measureFile = createFileMeasurer(encoding)
  let open: OpenDocument | undefined
  /** The newest input of each job. */
  const newest = new Map<JobName, unknown>()
  /** Resolves once the newest text is read. */
  let reading: Promise<unknown> | undefined
  /** What is wanted, by document. */
  const wants = new Map<number, Wanted>()
  /** Goes on with the open document. */
  let wake = () => {}

  const answers: Answers = {
    *countPlaceholders({ document }, { template }) {
      const counts: (readonly number[])[] = []
      for (const conversation of document.conversations)
        counts.push(yield* countPlaceholders(conversation, template, countTokens))
      return counts
    },
    prepareReplay: (open, input) => costsOf(open).prepareReplay(input),
    replay: (open, input) => costsOf(open).replay(input),
    findRepeatedCalls: ({ document, counts, repairOnce }, { conversation: at, options }) => {
      const conversation = document.conversations[at] as ReadConversation
      const counted = counts[at] as ConversationCounts
      return findRepeatedCalls(conversation, counted, countTokens, repairOnce, options)
    },
    findLaterUses: (open, { session }) => costsOf(open).findLaterUses(session),
    losableUses: (open, input) => costsOf(open).losableUses(input),
    sweep: (open, input) => costsOf(open).sweep(input),
    repair: ({ document: { source, format, conversations } }, { settings }) =>
      repairDocumentInSteps(
        { text: source.text, format: format.id, conversations },
        withClock(settings),
      ),
  }

  /** Counts a document and answers what is wanted of it, the most urgent first, until another one is open. */
  const serve = async (
    own: OpenDocument,
    { onProgress, onPart = () => {}, pause }: JobContext,
  ): Promise<Outcome<'open'>> => {
    const { document, counts } = own
    const { conversations } = document
    const wanted = () => wants.get(own.id) as Wanted

    function* answer({ id, name, input }: Question): Steps<true> {
      const output = (answers[name] as Answers[QuestionName])(own, input as never)
      const answer = 'next' in output ? yield* output as Steps<unknown> : output
      const { shown, questions } = wanted()
      wants.set(own.id, { shown, questions: questions.filter((other) => other.id !== id) })
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
        const { shown, questions } = wanted()
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
        for (; !step.done && wanted().shown === shown; step = steps.next()) yield step.value
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
      const goOn = () => pause().then(() => open === own)
      if ((await runSteps(countAll(), goOn)) === undefined) return SUPERSEDED
      endHelp()
      encoding.forgetOld()
      own.costs = createSessionCosts(conversations, counts, countTokens)
    }
    onPart({ name: 'counts', at: 0, output: counts })
    const begun = new Map<number, Steps<true>>()
    for (; open === own; await pause()) {
      const [question] = wanted().questions
      if (question === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      // At a pause, a more urgent question may have come.
      const steps = begun.get(question.id) ?? answer(question)
      const isDone = await runSteps(steps, async () => false)
      if (isDone) begun.delete(question.id)
      else begun.set(question.id, steps)
    }
    return SUPERSEDED
  }

  const read = async (
    input: Jobs['open']['input'],
    { onProgress }: JobContext,
  ): Promise<OpenDocument | Exclude<Outcome<'open'>, { readonly state: 'done' }>> => {
    const { document: id, format } = input
    let text: string | undefined
    // Undo can bring back the text that is open; its counts stay valid.
    if (open?.id === id) return open
    try {
      const isCurrent = () => newest.get('open') === input
      const opened =
        input.file === undefined ? input.text : await openFile(input.file, isCurrent, onProgress)
      if (!isCurrent()) return SUPERSEDED
      if (opened === undefined) return { state: 'needs_text' }
      if (typeof opened === 'string') text = opened
      const document = readDocument(opened, { format, onProgress })
      const buildRequest = createRequestBuilder(document, countTokens)
      return { id, document, buildRequest, repairOnce: createArgumentRepair(), counts: [] }
    } catch (error) {
      const problem = problemOfReading(error)
      const read = (repaired: string) => readDocument(repaired, { format })
      const repair =
        text === undefined ? undefined : offerRepair(text, problem, read, () => performance.now())
      return { state: 'unreadable', problem, repair }
    }
  }

  /** The document of a job, once the newest text is read; undefined if another one is open. */
  const openOf = async ({ document }: { readonly document: number }) => {
    await reading
    return open?.id === document ? open : undefined
  }

  const handlers: Handlers = {
    open: async (input, context) => {
      wants.set(input.document, input.wanted)
      const opening = read(input, context)
      reading = opening
      const own = await opening
      let outcome: Outcome<'open'>
      if ('state' in own) outcome = own
      else {
        // The same text can be opened again: its newer job goes on.
        open = { ...own }
        wake()
        outcome = await serve(open, context)
      }
      if (open?.id !== input.document) wants.delete(input.document)
      return outcome
    },
    checkTemplates: async (input, { pause }) => {
      const conversation = (await openOf(input))?.document.conversations[input.conversation]
      if (conversation === undefined) return SUPERSEDED
      function* checkAll(read: ReadConversation) {
        const checks: TemplateCheck[] = []
        for (const template of input.templates)
          checks.push(yield* checkTemplateInSteps(read, template, countTokens))
        return checks
      }
      const output = await runSteps(checkAll(conversation), async () => {
        await pause()
        return open?.id === input.document && newest.get('checkTemplates') === input
      })
      return output === undefined ? SUPERSEDED : { state: 'done', output }
    },
    buildRequest: async (input) => {
      const own = await openOf(input)
      return own === undefined ? SUPERSEDED : { state: 'done', output: own.buildRequest(input) }
    },
    recognise: ({ text }) => ({ state: 'done', output: recogniseDocument(text) }),
    tryRepair: ({ text, settings }) => ({
      state: 'done',
      output: tryRepair(text, withClock(settings)),
    }),
    unpack: async ({ name, bytes, used }) => {
      const budget = createUnpackBudget(undefined, undefined, used)
      return { state: 'done', output: await unpack(name, bytes, budget) }
    },
    ...createParquetJobs(),
    measureFile,
    recommendFleet: ({ sums, advice }) => ({
      state: 'done',
      output: recommendFleet(
        sums.map((one): SessionSums => JSON.parse(one)),
        advice,
      ),
    }),
  }

  return {
    run: async <Name extends JobName>(
      name: Name,
      input: Jobs[Name]['input'],
      context: JobContext,
    ): Promise<Outcome<Name>> => {
      newest.set(name, input)
      return (handlers as Handlers)[name](input, context)
    },
    /** Changes what is wanted of a document. */
    want: (document: number, wanted: Wanted): void => {
      if (!wants.has(document)) return
      wants.set(document, wanted)
      wake()
    },
  }
}

function charsOf({ messages }: ReadConversation): number {
  return messages.reduce((sum, { chars }) => sum + chars, 0)
}

function costsOf({ costs }: OpenDocument) {
  if (costs === undefined) throw new Error('The document is not counted.')
  return costs
}

function withClock(settings: RepairSettings): RepairOptions {
  return { ...settings, now: () => performance.now() }
}
