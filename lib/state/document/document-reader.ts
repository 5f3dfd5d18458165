/** Reads and counts the page's text with the worker, and restarts the worker when the model needs another encoding. */
import type { Problem } from '@/lib/core/problem'
import type { DocumentModel, JobName, Jobs, Outcome, RunJob, Unreadable } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker } from '@/lib/worker/worker-client'
import { familyOf } from '../costs/chosen-model'
import { createJobScheduler, type ScheduledJob, scheduledJob } from '../job-scheduler'
import type { NoticeCode } from '../notices'
import { policyOnceRead } from '../policy/policy-slice'
import type { PlaygroundStore } from '../store'
import type { SourceText } from './document-slice'
import { openingConversationOf } from './opening-conversation'
import { countsOf, placeholderTokensOf } from './selectors'

/** A text is read once typing pauses for this long. */
const MILLISECONDS_BEFORE_READING = 150

/** Notices of a text that could not be opened. */
const REFUSALS: readonly NoticeCode[] = ['problem', 'read_as_refused']

type Notify = (
  code: NoticeCode,
  values: Readonly<Record<string, string | number>>,
  kind: 'error' | 'info',
) => void

type ReplaceOutcome =
  | { readonly state: 'replaced' | 'overtaken' }
  | { readonly state: 'unreadable'; readonly problem: Problem }

export function createReader(store: PlaygroundStore, spawn: SpawnWorker, notify: Notify) {
  const { getState: get, setState: set } = store
  let { encoding } = familyOf(get())
  const worker = createWorkerClient(spawn, encoding, {
    onReplaced: (reason) => notify('worker_replaced', { reason }, 'info'),
  })

  /** Runs a job, and notifies the user if it crashes or if workers ended with it. */
  const run: RunJob = async <Name extends JobName>(
    ...job: Parameters<typeof worker.run<Name>>
  ): Promise<Outcome<Name>> => {
    const outcome = await worker.run<Name>(...job)
    if (outcome.state === 'crashed') {
      notify('worker_failed', { reason: outcome.message }, 'error')
      set({ reading: { state: 'idle' }, counting: undefined })
    }
    return outcome
  }

  const countPlaceholders = createJobScheduler({
    retryOn: () => get().read,
    needed: () => {
      const { read, policy } = get()
      if (read === undefined || placeholderTokensOf(get()) !== undefined) return []
      const { id } = read.source
      const template = policy.placeholderTemplate
      const store = (tokens: Jobs['countPlaceholders']['output']) =>
        set({ placeholders: { source: id, template, tokens } })
      const key = JSON.stringify([id, template, encoding])
      return [scheduledJob(run, key, 'countPlaceholders', { document: id, template }, store)]
    },
  })

  const count = createJobScheduler({
    isOverlapping: true,
    retryOn: () => get().read,
    needed: () => {
      const { read, conversation: shown } = get()
      if (read === undefined || countsOf(get()) !== undefined) return []
      const { id } = read.source
      const start = async () => {
        set({ counting: 0 })
        const outcome = await run('count', { document: id, shown }, (done, output) => {
          if (get().read?.source.id !== id) return
          const counts = output?.[shown]
          set({
            counting: done,
            countedFirst: counts && { source: id, conversation: shown, counts },
          })
        })
        if (outcome.state !== 'done') return undefined
        return () => {
          set({ counting: undefined, counted: { source: id, counts: outcome.output } })
          countPlaceholders()
        }
      }
      return [{ key: JSON.stringify([id, encoding, timesChosen]), start }]
    },
  })

  /** A conversation that is chosen meanwhile is counted first; what is counted is known. */
  let timesChosen = 0
  store.subscribe(({ conversation, counting }, before) => {
    if (counting === undefined || conversation === before.conversation) return
    timesChosen++
    count()
  })

  /** Restarts the worker if the model needs another encoding, and reads the text again; false if it does not. */
  const updateEncoding = (): boolean => {
    const next = familyOf(get()).encoding
    if (next === encoding) return false
    encoding = next
    worker.restart(next)
    set({
      counted: undefined,
      counting: undefined,
      placeholders: undefined,
      pinnedAnswers: {},
    })
    const { source } = get()
    if (source.text !== '') readSource(source)
    return true
  }

  /** The reading asked for last; undefined once it is done. */
  let wanted: ScheduledJob | undefined
  let readings = 0

  const read = createJobScheduler({
    isOverlapping: true,
    retryOn: () => wanted,
    needed: () => (wanted === undefined ? [] : [wanted]),
  })

  const readSource = (source: SourceText): void => {
    const isCurrent = () => get().source.id === source.id
    const start = async () => {
      const outcome = await run('read', inputOf(source), (done) => {
        if (isCurrent()) set({ reading: { state: 'reading', done } })
      })
      if (outcome.state !== 'done' && outcome.state !== 'unreadable') return undefined
      return () => {
        wanted = undefined
        if (!isCurrent()) return
        if (outcome.state === 'done') show(source, outcome.output)
        else refuse(source, outcome)
      }
    }
    // The same text may be read again by another worker.
    wanted = { key: String(readings++), start }
    set({ reading: { state: 'reading', done: 0 } })
    read()
  }

  const refuse = (source: SourceText, { problem, repair }: Unreadable): void => {
    set(({ policy }) => ({
      reading: { state: 'failed', problem, repair },
      policy: policyOnceRead(source, policy),
    }))
    // While typing, the last readable text stays in view; with another document it would mislead.
    if (source.origin.kind !== 'typed') {
      set({ read: undefined, selection: undefined, conversation: 0 })
    }
  }

  /** Puts a document on the page and counts it. */
  const show = (source: SourceText, model: DocumentModel): void => {
    set(({ read, policy, conversation, selection, notices }) => {
      const isSameDocument =
        source.origin.kind === 'typed' && read?.source.document === source.document
      const shown = isSameDocument ? model.conversations[conversation] : undefined
      const hasSelection = (selection?.message ?? 0) < (shown?.messages.length ?? 0)
      return {
        read: { source, model },
        reading: { state: 'read' },
        policy: policyOnceRead(source, policy),
        conversation:
          shown === undefined ? openingConversationOf(model).conversation : conversation,
        selection: hasSelection ? selection : undefined,
        request: undefined,
        // What could not be opened before no longer matters. Notices and sources are numbered together.
        notices: notices.filter(({ id, code }) => id > source.id || !REFUSALS.includes(code)),
      }
    })
    if (!updateEncoding()) count()
  }

  /** Replaces the present source with this one, unless it cannot be read. */
  const tryReplacing = async (source: SourceText): Promise<ReplaceOutcome> => {
    const before = get().source
    const outcome = await run('read', inputOf(source))
    if (get().source.id !== before.id) return { state: 'overtaken' }
    if (outcome.state === 'unreadable') return outcome
    if (outcome.state !== 'done') return { state: 'overtaken' }
    set({ source })
    show(source, outcome.output)
    return { state: 'replaced' }
  }

  let typing: ReturnType<typeof setTimeout> | undefined

  /** Calls `read` once typing pauses, unless another text has replaced the source by then. */
  const afterTyping = (source: SourceText, read: (source: SourceText) => void) => {
    clearTimeout(typing)
    typing = setTimeout(() => {
      if (get().source.id === source.id) read(source)
    }, MILLISECONDS_BEFORE_READING)
  }

  const { learn } = worker
  return { run, learn, readSource, afterTyping, tryReplacing, countPlaceholders, updateEncoding }
}

function inputOf({ id, text, file, readAs }: SourceText): Jobs['read']['input'] {
  return { document: id, text, file, format: readAs }
}
