/** Handlers of the worker's jobs, and what it remembers between them. Node and tests run the same code inline. */
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
import type { JobName, Jobs, Outcome } from './jobs'
import { createFileMeasurer } from './measure-file'
import { partsOf } from './output-parts'
import { createParquetJobs } from './parquet-jobs'
import {
  CHARS_BETWEEN_PAUSES,
  type JobContext,
  runSteps,
  type Steps,
  withProgress,
} from './run-in-steps'
import { createSessionCosts } from './session-costs'
import { recogniseDocument, tryRepair } from './text-jobs'

type Handlers = {
  readonly [Name in JobName]: (
    input: Jobs[Name]['input'],
    context: JobContext,
  ) => Outcome<Name> | Promise<Outcome<Name>>
}

type DocumentJobName = {
  [Name in JobName]: Jobs[Name]['input'] extends { readonly document: number } ? Name : never
}[Exclude<JobName, 'read'>]

const SUPERSEDED = { state: 'superseded' } as const

/** The work of a job on the open document. It is superseded where it needs counts that are not there. */
type DocumentWork<Name extends DocumentJobName = DocumentJobName> = (
  open: OpenDocument,
  input: Jobs[Name]['input'],
  context: Omit<JobContext, 'pause'>,
) => Done<Name> | Steps<Done<Name>>

type Done<Name extends DocumentJobName> = Jobs[Name]['output'] | typeof SUPERSEDED

/** The steps of work, which has none if it is done at once. */
function* stepsOf(work: ReturnType<DocumentWork>): Steps<Done<DocumentJobName>> {
  return typeof work === 'object' && 'next' in work ? yield* work : work
}

interface OpenDocument {
  readonly id: number
  readonly document: ReadDocument<TextSlices>
  readonly buildRequest: ReturnType<typeof createRequestBuilder>
  /** Repairs each argument text once. */
  readonly repairOnce: ReturnType<typeof createArgumentRepair>
  /** Undefined until the document is counted. */
  counted?: {
    readonly counts: readonly ConversationCounts[]
    readonly costs: ReturnType<typeof createSessionCosts>
  }
}

export function createJobRunner(
  encoding: Encoding,
  helpers: CountHelpers = createCountHelpers(encoding, () => {}),
) {
  const { countTokens } = encoding
  const measureFile = createFileMeasurer(encoding)
  let open: OpenDocument | undefined
  const newest = new Map<JobName, unknown>()

  const works: { readonly [Name in DocumentJobName]: DocumentWork<Name> } = {
    *count(open, { shown }, { onProgress, onPart }) {
      const { conversations } = open.document
      const allChars = conversations
        .flatMap(({ messages }) => messages)
        .reduce((sum, { chars }) => sum + chars, 0)
      const endHelp = helpers.help(conversations)
      const counts: ConversationCounts[] = []
      const others = [...conversations.keys()].filter((at) => at !== shown)
      function* countAll() {
        for (const at of shown === undefined ? others : [shown, ...others]) {
          const conversation = conversations[at]
          if (conversation === undefined) continue
          counts[at] = yield* countConversationInSteps(conversation, countTokens)
          if (at !== shown || others.length === 0) continue
          onPart?.({ path: [], value: [] })
          onPart?.({ path: [at], value: counts[at] })
        }
      }
      yield* withProgress(countAll(), allChars, onProgress)
      endHelp()
      encoding.forgetOld()
      open.counted = { counts, costs: createSessionCosts(conversations, counts, countTokens) }
      return counts
    },
    *analyse(open, { questions }, context) {
      const outputs: unknown[] = []
      context.onPart?.({ path: [], value: [] })
      for (const [at, { name, input }] of questions.entries()) {
        // Lets other jobs in.
        yield CHARS_BETWEEN_PAUSES + 1
        const onProgress = (done: number) => context.onProgress((at + done) / questions.length)
        const output = yield* stepsOf((works[name] as DocumentWork)(open, input, { onProgress }))
        if (output === SUPERSEDED) return SUPERSEDED
        outputs.push(output)
        for (const part of partsOf(output, undefined, [at])) context.onPart?.(part)
        onProgress(1)
      }
      return outputs
    },
    *countPlaceholders({ document }, { template }) {
      const counts: (readonly number[])[] = []
      for (const conversation of document.conversations)
        counts.push(yield* countPlaceholders(conversation, template, countTokens))
      return counts
    },
    *checkTemplates({ document }, { conversation: at, templates }) {
      const conversation = document.conversations[at]
      if (conversation === undefined) return SUPERSEDED
      const checks: TemplateCheck[] = []
      for (const template of templates)
        checks.push(yield* checkTemplateInSteps(conversation, template, countTokens))
      return checks
    },
    prepareReplay: ({ counted }, input) => counted?.costs.prepareReplay(input) ?? SUPERSEDED,
    findLaterUses({ counted }, { session }, { onProgress }) {
      if (counted === undefined) return SUPERSEDED
      const { findLaterUses, charsOf } = counted.costs
      // Each text is searched twice.
      return withProgress(findLaterUses(session), charsOf(session) * 2, onProgress)
    },
    losableUses: ({ counted }, input) => counted?.costs.losableUses(input) ?? SUPERSEDED,
    replay: ({ counted }, input) => counted?.costs.replay(input) ?? SUPERSEDED,
    sweep: ({ counted }, input) => counted?.costs.sweep(input) ?? SUPERSEDED,
    findRepeatedCalls({ document, counted, repairOnce }, { conversation: at, options }) {
      const conversation = document.conversations[at]
      const counts = counted?.counts[at]
      if (conversation === undefined || counts === undefined) return SUPERSEDED
      return findRepeatedCalls(conversation, counts, countTokens, repairOnce, options)
    },
    buildRequest: ({ buildRequest }, input) => buildRequest(input),
    repair: ({ document: { source, format, conversations } }, { settings }) =>
      repairDocumentInSteps(
        { text: source.text, format: format.id, conversations },
        withClock(settings),
      ),
  }

  /** Works on the open document, and gives way to another document or a newer job of its name. */
  const work = async <Name extends DocumentJobName>(
    name: Name,
    input: Jobs[Name]['input'],
    context: JobContext,
  ): Promise<Outcome<Name>> => {
    const isCurrent = () => open?.id === input.document && newest.get(name) === input
    if (open === undefined || !isCurrent()) return SUPERSEDED
    let isSuperseded = false
    const output = await runSteps(
      stepsOf((works[name] as DocumentWork)(open, input, context)),
      async () => {
        await context.pause()
        isSuperseded = !isCurrent()
        return !isSuperseded
      },
    )
    if (isSuperseded || output === SUPERSEDED) return SUPERSEDED
    return { state: 'done', output: output as Jobs[Name]['output'] }
  }

  const handlers: Omit<Handlers, DocumentJobName> = {
    read: async (input, { onProgress }) => {
      const { document: id, format } = input
      let text: string | undefined
      // Undo can bring back the text that is open; its counts stay valid.
      if (open?.id === id) return { state: 'done', output: modelOf(open.document) }
      try {
        const isCurrent = () => newest.get('read') === input
        const opened =
          input.file === undefined ? input.text : await openFile(input.file, isCurrent, onProgress)
        if (!isCurrent()) return SUPERSEDED
        if (opened === undefined) return { state: 'needs_text' }
        if (typeof opened === 'string') text = opened
        const document = readDocument(opened, { format, onProgress })
        open = {
          id,
          document,
          buildRequest: createRequestBuilder(document, countTokens),
          repairOnce: createArgumentRepair(),
        }
        return { state: 'done', output: modelOf(document) }
      } catch (error) {
        const problem = problemOfReading(error)
        const read = (repaired: string) => readDocument(repaired, { format })
        const repair =
          text === undefined ? undefined : offerRepair(text, problem, read, () => performance.now())
        return { state: 'unreadable', problem, repair }
      }
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

  return async <Name extends JobName>(
    name: Name,
    input: Jobs[Name]['input'],
    context: JobContext,
  ): Promise<Outcome<Name>> => {
    newest.set(name, input)
    if (name in works) return work(name as DocumentJobName, input as never, context) as never
    return (handlers as Handlers)[name](input, context)
  }
}

function withClock(settings: RepairSettings): RepairOptions {
  return { ...settings, now: () => performance.now() }
}
