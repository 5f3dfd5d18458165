import type { Encoding } from '@/lib/core/tokens/encoding'
import { countForPort, createCountHelpers } from './count-helpers'
import { createJobRunner } from './job-runner'
import type { JobMessage, JobName, OtherMessage, Part, WorkerMessage } from './jobs'
import { partsOf } from './output-parts'
import { nextMessage } from './run-in-steps'

const SMALLEST_PROGRESS = 0.01
const MILLISECONDS_BETWEEN_SIGNS = 1_000

/** Returns the receiver of messages, which runs each job and posts its progress, its parts and its outcome. */
export function createMessageReceiver(
  encoding: Promise<Encoding>,
  post: (message: WorkerMessage) => void,
) {
  const started = encoding.then((loaded) => {
    const helpers = createCountHelpers(loaded, () => post({ wants: 'helpers' }))
    return { loaded, helpers, ...createJobRunner(loaded, helpers) }
  })

  const runJob = async <Name extends JobName>({ id, name, input }: JobMessage<Name>) => {
    let reported = 0
    let reportedAt = performance.now()
    const onProgress = (done: number) => {
      // A long file of short lines would send a message for each.
      const now = performance.now()
      const isSilent = now - reportedAt > MILLISECONDS_BETWEEN_SIGNS
      if (Math.abs(done - reported) < SMALLEST_PROGRESS && !isSilent) return
      reported = done
      reportedAt = now
      post({ id, done })
    }
    const pause = (): Promise<void> => {
      onProgress(reported)
      return nextMessage()
    }
    const onPart = ({ name, at, output }: Part) => {
      for (const piece of partsOf(output)) post({ id, piece })
      post({ id, part: { name, at } })
    }
    try {
      const { run } = await started
      post({ id, done: 0 })
      post({ id, outcome: await run(name, input, { onProgress, onPart, pause }) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      post({ id, outcome: { state: 'crashed', message } })
    }
  }
  return async (message: JobMessage | OtherMessage): Promise<void> => {
    if ('name' in message) return runJob(message)
    const { loaded, helpers, want } = await started
    if ('wanted' in message) want(message.document, message.wanted)
    else if ('helper' in message) helpers.add(message.helper)
    else countForPort(message.countFor, loaded)
  }
}
