import { createUnpackBudget } from '@/lib/core/files/byte-sink'
import { unpack } from '@/lib/core/files/unpack'
import { FORMATS, type ReadDocument, readDocument } from '@/lib/core/formats/read-document'
import { renderPlaceholder } from '@/lib/core/policy/placeholder'
import { ReadError } from '@/lib/core/problem'
import {
  type ConversationCounts,
  countConversationInSteps,
  countTextsTokens,
  withoutTexts,
} from '@/lib/core/tokens/count-conversation'
import type { Encoding } from '@/lib/core/tokens/encoding'
import type { JobSurroundings } from './job-surroundings'
import type { DocumentModel, Job, JobResult } from './protocol'
import { createFollowUpRunner } from './run-follow-up-job'
import { createLoopRunner, type RunLoopJob } from './run-loop-job'
import { runRepairJob, tryRepair } from './run-repair-job'
import { createSessionRunner } from './run-session-jobs'
import { createSurveyor } from './survey-file'

export type RunJob = (job: Job, surroundings: JobSurroundings) => Promise<JobResult>

/** Counting lets other jobs in after so many characters. */
const CHARS_BETWEEN_PAUSES = 200_000

/** The worker's memory and what it does with a job; the same code runs inline in Node and tests. */
export function createJobRunner(encoding: Encoding): RunJob {
  const { countTokens } = encoding
  const survey = createSurveyor(encoding)
  let current: { id: number; document: ReadDocument } | undefined
  let sessions: ReturnType<typeof createSessionRunner> | undefined
  let loops: RunLoopJob | undefined
  let followUps: ReturnType<typeof createFollowUpRunner> | undefined
  const latest = new Map<Job['kind'], Job>()

  return async (job, { onProgress, pause }) => {
    latest.set(job.kind, job)
    if (job.kind === 'read') {
      try {
        const document = readDocument(job.text, { format: job.format, onProgress })
        current = { id: job.document, document }
        sessions = undefined
        followUps = undefined
        loops = undefined
        return { kind: 'read', model: modelOf(document) }
      } catch (error) {
        if (error instanceof ReadError) return { kind: 'unreadable', problem: error.problem }
        throw error
      }
    }
    if (job.kind === 'unpack') {
      const budget = createUnpackBudget(undefined, undefined, job.taken)
      return { kind: 'unpacked', files: await unpack(job.name, job.bytes, budget) }
    }
    if (job.kind === 'try_repair') return { kind: 'tried', tried: tryRepair(job.text, job.limits) }
    if (job.kind === 'survey') return survey(job, { onProgress, pause })
    const isStale = () => current?.id !== job.document || latest.get(job.kind) !== job
    if (current === undefined || isStale()) return { kind: 'superseded' }
    const { conversations } = current.document
    if (job.kind === 'count_placeholders') {
      const tokens = conversations.map(({ results, resultTexts }) =>
        results.map((result, index) => {
          const resultTokens = countTextsTokens(resultTexts[index] ?? [], countTokens)
          return countTokens(renderPlaceholder(job.template, result, resultTokens))
        }),
      )
      return { kind: 'placeholders_counted', tokens }
    }
    if (job.kind === 'repair') {
      const repair = await runRepairJob(current.document, job.limits, async () => {
        await pause()
        return isStale()
      })
      return repair === undefined ? { kind: 'superseded' } : { kind: 'repaired', repair }
    }
    if (job.kind === 'loops') {
      const report = loops?.(job.conversation, job.options)
      return report === undefined ? { kind: 'superseded' } : { kind: 'loops', report }
    }
    if (job.kind === 'follow_up') {
      followUps ??= createFollowUpRunner(current.document, countTokens)
      return { kind: 'follow_up', followUp: followUps(job) }
    }
    if (job.kind === 'mask_facts' || job.kind === 'sweep') {
      if (sessions === undefined) return { kind: 'superseded' }
      if (job.kind === 'mask_facts') return { kind: 'facts', facts: sessions.facts(job) }
      const sweep = await sessions.sweep(job, async () => {
        await pause()
        return isStale()
      })
      return sweep === undefined ? { kind: 'superseded' } : { kind: 'swept', sweep }
    }
    const allChars = conversations
      .flatMap(({ messages }) => messages)
      .reduce((sum, { chars }) => sum + chars, 0)
    const counts: ConversationCounts[] = []
    let charsDone = 0
    let charsAtPause = 0
    for (const conversation of conversations) {
      const steps = countConversationInSteps(conversation, countTokens)
      let step = steps.next()
      while (!step.done) {
        charsDone += step.value
        if (charsDone - charsAtPause > CHARS_BETWEEN_PAUSES) {
          charsAtPause = charsDone
          onProgress(charsDone / allChars)
          await pause()
          if (isStale()) return { kind: 'superseded' }
        }
        step = steps.next()
      }
      counts.push(step.value)
    }
    sessions = createSessionRunner(conversations, counts, countTokens)
    loops = createLoopRunner(conversations, counts, countTokens)
    return { kind: 'counted', counts }
  }
}

function modelOf({
  source,
  format,
  evidence,
  candidates,
  conversations,
  problems,
}: ReadDocument): DocumentModel {
  return {
    format: format.id,
    formatLabel: format.label,
    evidence,
    formats: FORMATS.map(({ id, label, expects }) => {
      return { id, label, expects, isRecognised: candidates.includes(id) }
    }),
    layout: source.layout,
    conversations: conversations.map(withoutTexts),
    problems,
  }
}
