/** Totals of files that are not open on the page, computed by the same functions as those of the open one. */
import type { ReadConversation } from '@/lib/core/conversation/conversation'
import type { ReadSession } from '@/lib/core/fleet/measure-sessions'
import { recogniseCopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import { readDocument } from '@/lib/core/formats/read-document'
import { decodeFile } from '@/lib/core/formats/reading/open-source'
import type { CountedConversation } from '@/lib/core/mask/measure-request'
import { problemOfReading } from '@/lib/core/problem'
import { isSessionFile, readSessionFile } from '@/lib/core/share/session-file'
import type { Steps } from '@/lib/core/steps'
import { countConversationInSteps, withoutTexts } from '@/lib/core/tokens/count-conversation'
import type { Encoding, EncodingId } from '@/lib/core/tokens/encoding'
import {
  DEFAULT_MODEL_FAMILY,
  familyOfModel,
  modelOfDocument,
  OTHER_MODELS,
} from '@/lib/core/tokens/model-families'
import type { MeasureFileInput, NeedsCosts } from './file-jobs'
import {
  compareInSteps,
  createFileSessions,
  distinctUsages,
  fileSessionsInSteps,
} from './file-sessions'
import type { JobContext, Jobs, Outcome } from './jobs'
import { runSteps, withProgress } from './run-in-steps'

/** A counted file: enough to decide it again under another policy. */
interface CountedFile {
  readonly formatLabel: string
  readonly problems: number
  /** `model`: the one that the file names; undefined if it names no known one. */
  readonly needs: Omit<NeedsCosts, 'state'>
  readonly tools: readonly string[]
  readonly measureSessions: ReturnType<typeof createFileSessions>
  readonly conversations: readonly ReadConversation[]
  readonly sessions: readonly ReadSession[]
  /** Characters of the messages. */
  readonly size: number
}

/** Files used longest ago are forgotten once their messages exceed this. */
const MAX_CHARS_REMEMBERED = 60_000_000

const CHARS_BETWEEN_PAUSES = 500_000

/** Returns the handler of `measureFile`, which remembers files it has counted. */
export function createFileMeasurer({ id, countTokens }: Encoding) {
  // In the order of use: the newest is last.
  const counted = new Map<number, CountedFile>()

  const remember = (number: number, file: CountedFile) => {
    counted.delete(number)
    counted.set(number, file)
    let size = [...counted.values()].reduce((total, other) => total + other.size, 0)
    for (const [oldest, { size: freed }] of counted) {
      if (size <= MAX_CHARS_REMEMBERED || oldest === number) break
      counted.delete(oldest)
      size -= freed
    }
  }

  return async (input: MeasureFileInput, context: JobContext): Promise<Outcome<'measureFile'>> => {
    let file = counted.get(input.file)
    if (file === undefined) {
      if (input.bytes === undefined) return { state: 'needs_bytes' }
      const outcome = await countFile(input, input.bytes, context)
      if ('state' in outcome) return outcome
      file = outcome
    }
    const encoding = encodingFor(input.model ?? file.needs.model)
    if (encoding !== id) return { state: 'needs_encoding', encoding }
    remember(input.file, file)
    if (input.costs === undefined) return { state: 'needs_costs', ...file.needs }
    const { formatLabel, problems, tools, conversations, sessions } = file
    const measures = file.measureSessions(input, input.costs)
    const told = [conversations, sessions, countTokens, input.costs, context.onProgress] as const
    const compared = input.isCompared && (await runAll(compareInSteps(...told), context))
    return { state: 'done', output: { formatLabel, problems, tools, ...measures, compared } }
  }

  async function countFile(
    { model: chosen }: MeasureFileInput,
    bytes: Uint8Array,
    context: JobContext,
  ): Promise<CountedFile | Jobs['measureFile']['failure']> {
    try {
      const decoded = decodeFile(bytes)
      // A session file counts as the transcript in it.
      const session = isSessionFile(decoded) ? readSessionFile(decoded).session : undefined
      const { text, readAs } = session ?? { text: decoded, readAs: undefined }
      const copied = recogniseCopiedRequests(text)
      const document = readDocument(copied?.body ?? text, { format: readAs })
      const { format, conversations } = document
      const problems = document.problems.length + (copied?.problems.length ?? 0)
      const model = modelOfDocument(conversations)
      const encoding = encodingFor(chosen ?? model)
      if (encoding !== id) return { state: 'needs_encoding', encoding }
      const messages = conversations.flatMap((conversation) => conversation.messages)
      const allChars = messages.reduce((sum, { chars }) => sum + chars, 0)
      const counted: CountedConversation[] = []
      function* steps() {
        for (const conversation of conversations) {
          const counts = yield* countConversationInSteps(conversation, countTokens)
          const { resultTexts } = conversation
          counted.push({ conversation: withoutTexts(conversation), resultTexts, counts })
        }
        return yield* fileSessionsInSteps(conversations, counted)
      }
      // Counting reads each text once, the search for later uses twice.
      const told = withProgress(steps(), 3 * allChars, context.onProgress)
      const sessions = await runAll(told, context)
      const results = conversations.flatMap((conversation) => conversation.results)
      const { label: formatLabel } = format
      return {
        formatLabel,
        problems,
        needs: { model, usages: distinctUsages(conversations) },
        tools: [...new Set(results.flatMap(({ toolName }) => toolName ?? []))],
        measureSessions: createFileSessions(counted, sessions, countTokens),
        ...{ conversations, sessions, size: allChars },
      }
    } catch (error) {
      return { state: 'unreadable', problem: problemOfReading(error) }
    }
  }
}

async function runAll<Result>(steps: Steps<Result>, { pause }: JobContext): Promise<Result> {
  const goOn = () => pause().then(() => true)
  return (await runSteps(steps, goOn, CHARS_BETWEEN_PAUSES)) as Result
}

function encodingFor(model: string | undefined): EncodingId {
  if (model === undefined) return DEFAULT_MODEL_FAMILY.encoding
  return (familyOfModel(model) ?? OTHER_MODELS).encoding
}
