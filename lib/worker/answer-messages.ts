import type { Encoding } from '@/lib/core/tokens/encoding'
import { countForPort, createCountHelpers } from './count-helpers'
import { createJobRunner } from './job-runner'
import type { JobMessage, JobName, Outcome, PortMessage, WorkerMessage } from './jobs'
import { type OutputPart, partsOf } from './output-parts'
import { nextTask } from './run-in-steps'

const SMALLEST_PROGRESS = 0.01
const MILLISECONDS_BETWEEN_SIGNS = 1_000

/** Returns the receiver of messages, which runs each job and posts its progress and its outcome. */
export function createMessageReceiver(
  encoding: Promise<Encoding>,
  post: (message: WorkerMessage) => void,
) {
  const started = encoding.then((loaded) => {
    const helpers = createCountHelpers(loaded, () => post({ wants: 'helpers' }))
    return { loaded, helpers, run: createJobRunner(loaded, helpers) }
  })

  const runJob = async <Name extends JobName>({ id, name, input }: JobMessage<Name>) => {
    const postOutcome = (outcome: Outcome<JobName>): void => {
      // The model of a long document is sent in parts; answers were, each when it was there.
      const parts = outcome.state === 'done' && name === 'read' ? [...partsOf(outcome.output)] : []
      if (parts.length > 1) for (const part of parts) post({ id, part })
      const isSent = outcome.state === 'done' && (parts.length > 1 || name === 'analyse')
      post({ id, outcome: isSent ? { state: 'done', output: undefined } : outcome })
    }
    try {
      const { run } = await started
      post({ id, done: 0 })
      let reported = 0
      let reportedAt = performance.now()
      let hasParts = false
      const onProgress = (done: number) => {
        // A long file of short lines would send a message for each.
        const now = performance.now()
        const isSilent = now - reportedAt > MILLISECONDS_BETWEEN_SIGNS
        if (done - reported < SMALLEST_PROGRESS && !isSilent && !hasParts) return
        hasParts = false
        reported = done
        reportedAt = now
        post({ id, done })
      }
      const pause = (): Promise<void> => {
        onProgress(reported)
        return nextTask()
      }
      const onPart = (part: OutputPart) => {
        hasParts = true
        post({ id, part })
      }
      postOutcome(await run(name, input, { onProgress, onPart, pause }))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      post({ id, outcome: { state: 'crashed', message } })
    }
  }
  return async (message: JobMessage | PortMessage): Promise<void> => {
    if ('name' in message) return runJob(message)
    const { loaded, helpers } = await started
    if ('helper' in message) helpers.add(message.helper)
    else countForPort(message.countFor, loaded)
  }
}
