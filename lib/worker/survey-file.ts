/** Files that are not the one open: each is read, counted and summed like it, by the same functions. */
import { readOrTakeBody } from '@/lib/core/formats/read-or-take-body'
import { textOfFile } from '@/lib/core/formats/text-of-file'
import {
  type CountedConversation,
  measureCounted,
  sumTotals,
  totalsOf,
} from '@/lib/core/mask/document-totals'
import { ReadError } from '@/lib/core/problem'
import { isSessionFile, readSessionFile, type SessionFile } from '@/lib/core/share/session-file'
import { countConversationInSteps, withoutTexts } from '@/lib/core/tokens/count-conversation'
import type { Encoding, EncodingId } from '@/lib/core/tokens/encoding'
import {
  DEFAULT_MODEL_FAMILY,
  familyOfModel,
  modelOfDocument,
  OTHER_MODELS,
} from '@/lib/core/tokens/models'
import type { JobSurroundings } from './job-surroundings'
import type { JobResult, SurveyJob } from './protocol'

/** What is left of a file once it is counted: enough to decide it under another policy. */
interface SurveyedFile {
  readonly formatLabel: string
  readonly problems: number
  /** The file's own; undefined when it names none that is known. */
  readonly model: string | undefined
  readonly conversations: readonly CountedConversation[]
  /** Characters of the texts kept. */
  readonly size: number
}

/** Texts of results kept for another policy; the files asked for longest ago are read anew. */
const MAX_CHARS_KEPT = 60_000_000

const CHARS_BETWEEN_PAUSES = 500_000

export function createSurveyor({ id, countTokens }: Encoding) {
  // The file asked for last is the last of it.
  const kept = new Map<number, SurveyedFile>()

  const keep = (number: number, file: SurveyedFile) => {
    kept.delete(number)
    kept.set(number, file)
    let size = [...kept.values()].reduce((total, other) => total + other.size, 0)
    for (const [oldest, { size: freed }] of kept) {
      if (size <= MAX_CHARS_KEPT || oldest === number) break
      kept.delete(oldest)
      size -= freed
    }
  }

  return async (job: SurveyJob, surroundings: JobSurroundings): Promise<JobResult> => {
    let file = kept.get(job.file)
    if (file === undefined) {
      if (job.bytes === undefined) return { kind: 'needs_bytes' }
      const counted = await countFile(job, job.bytes, surroundings)
      if ('kind' in counted) return counted
      file = counted
    }
    const encoding = encodingFor(job.model ?? file.model)
    if (encoding !== id) return { kind: 'needs_encoding', encoding }
    keep(job.file, file)
    const totals = file.conversations.map((counted) =>
      totalsOf(counted.conversation, measureCounted(counted, job.policy, countTokens)),
    )
    const { formatLabel, problems } = file
    return { kind: 'surveyed', facts: { formatLabel, problems, totals: sumTotals(totals) } }
  }

  async function countFile(
    { model: chosen }: SurveyJob,
    bytes: Uint8Array,
    { onProgress, pause }: JobSurroundings,
  ): Promise<SurveyedFile | JobResult> {
    try {
      const { text, readAs } = transcriptOf(textOfFile(bytes))
      const { document } = readOrTakeBody(text, { format: readAs })
      const { format, problems, conversations } = document
      const model = modelOfDocument(conversations)
      const encoding = encodingFor(chosen ?? model)
      if (encoding !== id) return { kind: 'needs_encoding', encoding }
      const messages = conversations.flatMap((conversation) => conversation.messages)
      const allChars = messages.reduce((sum, { chars }) => sum + chars, 0)
      const counted: CountedConversation[] = []
      let done = 0
      let doneAtPause = 0
      for (const conversation of conversations) {
        const steps = countConversationInSteps(conversation, countTokens)
        let step = steps.next()
        while (!step.done) {
          done += step.value
          if (done - doneAtPause > CHARS_BETWEEN_PAUSES) {
            doneAtPause = done
            onProgress(done / allChars)
            await pause()
          }
          step = steps.next()
        }
        const { resultTexts } = conversation
        counted.push({ conversation: withoutTexts(conversation), resultTexts, counts: step.value })
      }
      const size = conversations
        .flatMap(({ results }) => results)
        .reduce((sum, { length }) => sum + length, 0)
      const { label: formatLabel } = format
      return { formatLabel, problems: problems.length, model, conversations: counted, size }
    } catch (error) {
      if (error instanceof ReadError) return { kind: 'unreadable', problem: error.problem }
      throw error
    }
  }
}

function encodingFor(model: string | undefined): EncodingId {
  if (model === undefined) return DEFAULT_MODEL_FAMILY.encoding
  return (familyOfModel(model) ?? OTHER_MODELS).encoding
}

/** A session file is surveyed as the transcript in it. */
function transcriptOf(text: string): Pick<SessionFile, 'text' | 'readAs'> {
  return isSessionFile(text) ? readSessionFile(text).session : { text, readAs: undefined }
}
