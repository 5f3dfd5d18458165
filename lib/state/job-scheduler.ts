/**
 * Decides when a job is sent to the worker. A feature lists the jobs whose output the store lacks. The scheduler
 * starts the most urgent one, drops its output if it is no longer needed, and asks for the list again.
 */
import type { JobName, Jobs, RunJob } from '@/lib/worker/jobs'

export interface ScheduledJob {
  /** Jobs with the same key are the same job. */
  readonly key: string
  /** Starts the job. Resolves to a function that stores its output, or to undefined if there is no output. */
  readonly start: () => Promise<(() => void) | undefined>
}

/** Makes a scheduled job of one worker job; `store` receives its output. */
export function scheduledJob<Name extends JobName>(
  run: RunJob,
  key: string,
  name: Name,
  input: Jobs[Name]['input'],
  store: (output: Jobs[Name]['output']) => void,
): ScheduledJob {
  const start = async () => {
    const outcome = await run(name, input)
    return outcome.state === 'done' ? () => store(outcome.output) : undefined
  }
  return { key, start }
}

interface SchedulerOptions {
  /** The jobs whose output is missing, most urgent first. Storing an output must remove its job from this list. */
  readonly needed: () => readonly ScheduledJob[]
  /** A job without output is started again once this value changes or another job has output. */
  readonly retryOn: () => unknown
  /** True to start a new job at once, for jobs that the worker ends when a newer one arrives. */
  readonly isOverlapping?: boolean
  /** True to store outputs even if their job is no longer needed. */
  readonly isLateWelcome?: boolean
}

/** Returns a function to call whenever the needed jobs may have changed. */
export function createJobScheduler(options: SchedulerOptions): () => void {
  const { needed, retryOn, isOverlapping = false, isLateWelcome = false } = options
  const pending = new Set<string>()
  const withoutOutput = new Set<string>()
  let lastRetry: unknown

  const schedule = (): void => {
    if (!isOverlapping && pending.size > 0) return
    const retry = retryOn()
    if (retry !== lastRetry) withoutOutput.clear()
    lastRetry = retry
    const next = needed().find(({ key }) => !pending.has(key) && !withoutOutput.has(key))
    if (next !== undefined) void start(next)
  }

  const start = async (job: ScheduledJob): Promise<void> => {
    pending.add(job.key)
    const store = await job.start()
    // In the same tick as storing: a call of `schedule` in between would start the job again.
    pending.delete(job.key)
    if (store === undefined) withoutOutput.add(job.key)
    else {
      withoutOutput.clear()
      if (isLateWelcome || needed().some(({ key }) => key === job.key)) store()
    }
    schedule()
  }

  return schedule
}
