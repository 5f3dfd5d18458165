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
import type { JobName, Jobs, Outcome, Question } from './jobs'
import { createFileMeasurer } from './measure-file'
import { partsOf } from './output-parts'
import { createParquetJobs } from './parquet-jobs'
import { createStepper, type JobContext } from './run-in-steps'
import { createSessionCosts } from './session-costs'
import { recogniseDocument, tryRepair } from './text-jobs'

type Handlers = {
  readonly [Name in JobName]: (
    input: Jobs[Name]['input'],
    context: JobContext,
  ) => Outcome<Name> | Promise<Outcome<Name>>
}

type Handler = (input: Question['input'], context: JobContext) => Promise<Outcome<Question['name']>>

type DocumentJobName = {
  [Name in JobName]: Jobs[Name]['input'] extends { readonly document: number } ? Name : never
}[Exclude<JobName, 'read'>]

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

const CHARS_BETWEEN_PAUSES = 200_000

const SUPERSEDED = { state: 'superseded' } as const

/** Wraps a job's output; undefined means the job was superseded. */
function outcomeOf<Output>(output: Output | undefined) {
  return output === undefined ? SUPERSEDED : ({ state: 'done', output } as const)
}

export function createJobRunner(
  encoding: Encoding,
  helpers: CountHelpers = createCountHelpers(encoding, () => {}),
) {
  const { countTokens } = encoding
  const measureFile = createFileMeasurer(encoding)
  let open: OpenDocument | undefined
  const newest = new Map<JobName, unknown>()

  /** Makes a handler that works on the open document and gives way to another document or a newer job of its name. */
  const onDocument =
    <Name extends DocumentJobName>(
      name: Name,
      work: (
        open: OpenDocument,
        input: Jobs[Name]['input'],
        context: JobContext & {
          /** Lets other jobs in; false if the job was superseded meanwhile. */
          readonly goOn: () => Promise<boolean>
        },
      ) => Outcome<Name> | Promise<Outcome<Name>>,
    ) =>
    (input: Jobs[Name]['input'], context: JobContext): Outcome<Name> | Promise<Outcome<Name>> => {
      const isCurrent = () => open?.id === input.document && newest.get(name) === input
      const goOn = async () => {
        await context.pause()
        return isCurrent()
      }
      if (open === undefined || !isCurrent()) return SUPERSEDED
      return work(open, input, { ...context, goOn })
    }

  const handlers: Handlers = {
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
    count: onDocument('count', async (open, { shown }, { onProgress, onPart, goOn }) => {
      const { conversations } = open.document
      const allChars = conversations
        .flatMap(({ messages }) => messages)
        .reduce((sum, { chars }) => sum + chars, 0)
      const run = createStepper({
        charsBetweenPauses: CHARS_BETWEEN_PAUSES,
        onPause: (chars) => {
          onProgress(chars / allChars)
          return goOn()
        },
      })
      const endHelp = helpers.help(conversations)
      const counts: ConversationCounts[] = []
      const others = [...conversations.keys()].filter((at) => at !== shown)
      for (const at of shown === undefined ? others : [shown, ...others]) {
        const conversation = conversations[at]
        if (conversation === undefined) continue
        const counted = await run(countConversationInSteps(conversation, countTokens))
        if (counted === undefined) return SUPERSEDED
        counts[at] = counted
        if (at !== shown || others.length === 0) continue
        onPart?.({ path: [], value: [] })
        onPart?.({ path: [at], value: counted })
      }
      endHelp()
      encoding.forgetOld()
      open.counted = { counts, costs: createSessionCosts(conversations, counts, countTokens) }
      return { state: 'done', output: counts }
    }),
    analyse: onDocument('analyse', async (_, { questions }, context) => {
      const outputs: unknown[] = []
      context.onPart?.({ path: [], value: [] })
      for (const [at, { name, input }] of questions.entries()) {
        if (!(await context.goOn())) return SUPERSEDED
        const onProgress = (done: number) => context.onProgress((at + done) / questions.length)
        const pause = async () => {
          if (!(await context.goOn()) && newest.get(name) === input) newest.delete(name)
        }
        newest.set(name, input)
        const outcome = await (handlers[name] as Handler)(input, { onProgress, pause })
        if (outcome.state !== 'done') return SUPERSEDED
        outputs.push(outcome.output)
        for (const part of partsOf(outcome.output, undefined, [at])) context.onPart?.(part)
        context.onProgress((at + 1) / questions.length)
      }
      return { state: 'done', output: outputs }
    }),
    countPlaceholders: onDocument(
      'countPlaceholders',
      async ({ document }, { template }, { goOn }) => {
        const run = createStepper({ charsBetweenPauses: CHARS_BETWEEN_PAUSES, onPause: goOn })
        const counts: (readonly number[])[] = []
        for (const conversation of document.conversations) {
          const counted = await run(countPlaceholders(conversation, template, countTokens))
          if (counted === undefined) return SUPERSEDED
          counts.push(counted)
        }
        return { state: 'done', output: counts }
      },
    ),
    checkTemplates: onDocument(
      'checkTemplates',
      async ({ document }, { conversation: at, templates }, { goOn }) => {
        const conversation = document.conversations[at]
        if (conversation === undefined) return SUPERSEDED
        const run = createStepper({ charsBetweenPauses: CHARS_BETWEEN_PAUSES, onPause: goOn })
        const checks: TemplateCheck[] = []
        for (const template of templates) {
          const checked = await run(checkTemplateInSteps(conversation, template, countTokens))
          if (checked === undefined) return SUPERSEDED
          checks.push(checked)
        }
        return { state: 'done', output: checks }
      },
    ),
    prepareReplay: onDocument('prepareReplay', ({ counted }, input) =>
      outcomeOf(counted?.costs.prepareReplay(input)),
    ),
    findLaterUses: onDocument(
      'findLaterUses',
      async ({ counted }, { session }, { goOn, onProgress }) => {
        const steps = counted?.costs.findLaterUses(session)
        if (steps === undefined) return SUPERSEDED
        const run = createStepper({
          charsBetweenPauses: CHARS_BETWEEN_PAUSES,
          onPause: (chars) => {
            onProgress(chars / steps.chars)
            return goOn()
          },
        })
        return outcomeOf(await run(steps.steps))
      },
    ),
    losableUses: onDocument('losableUses', async ({ counted }, input, { goOn }) => {
      const steps = counted?.costs.losableUses(input)
      if (steps === undefined) return SUPERSEDED
      const run = createStepper({ charsBetweenPauses: CHARS_BETWEEN_PAUSES, onPause: goOn })
      return outcomeOf(await run(steps))
    }),
    replay: onDocument('replay', ({ counted }, input) => outcomeOf(counted?.costs.replay(input))),
    sweep: onDocument('sweep', async ({ counted }, input, { goOn }) =>
      outcomeOf(await counted?.costs.sweep(input, goOn)),
    ),
    findRepeatedCalls: onDocument(
      'findRepeatedCalls',
      ({ document, counted, repairOnce }, { conversation: at, options }) => {
        const conversation = document.conversations[at]
        const counts = counted?.counts[at]
        if (conversation === undefined || counts === undefined) return SUPERSEDED
        const output = findRepeatedCalls(conversation, counts, countTokens, repairOnce, options)
        return { state: 'done', output }
      },
    ),
    buildRequest: onDocument('buildRequest', ({ buildRequest }, input) => ({
      state: 'done',
      output: buildRequest(input),
    })),
    repair: onDocument('repair', async ({ document }, { settings }, { goOn }) => {
      const { source, format, conversations } = document
      const run = createStepper({ charsBetweenPauses: CHARS_BETWEEN_PAUSES, onPause: goOn })
      const repairable = { text: source.text, format: format.id, conversations }
      return outcomeOf(await run(repairDocumentInSteps(repairable, withClock(settings))))
    }),
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
    return handlers[name](input, context)
  }
}

function withClock(settings: RepairSettings): RepairOptions {
  return { ...settings, now: () => performance.now() }
}
