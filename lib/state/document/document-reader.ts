/** Reads and counts the page's text with the worker, and restarts the worker when the model needs another encoding. */

import type { Problem } from '@/lib/core/problem'
import type { Values } from '@/lib/core/words/words'
import type { DocumentModel, JobName, Jobs, Outcome, RunJob, Unreadable } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker } from '@/lib/worker/worker-client'
import { familyOf } from '../costs/chosen-model'
import type { NoticeCode } from '../notices'
import { policyOnceRead } from '../policy/policy-slice'
import type { PlaygroundStore } from '../store'
import { openingConversationOf } from './conversation-rows'
import type { SourceText } from './document-slice'
import { countsOf } from './selectors'

/** A text is read once typing pauses for this long. */
const MILLISECONDS_BEFORE_READING = 150

/** Notices of a text that could not be opened. */
const REFUSALS: readonly NoticeCode[] = ['problem', 'read_as_refused']

type Notify = (code: NoticeCode, values: Values, kind: 'error' | 'info') => void

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

  /** Counts of an older number are dropped. */
  let counts = 0

  /** Counts the document, first the conversation that is shown. What is counted already is known. */
  const count = async () => {
    const { read, conversation: shown } = get()
    if (read === undefined || countsOf(get()) !== undefined) return
    const { id } = read.source
    const own = ++counts
    const isCurrent = () => own === counts && get().read?.source.id === id
    set({ counting: 0 })
    const outcome = await run('count', { document: id, shown }, (done, output) => {
      if (!isCurrent()) return
      const first = output?.[shown]
      const countedFirst = first && { source: id, conversation: shown, counts: first }
      set({ counting: done, countedFirst })
    })
    if (outcome.state === 'done' && isCurrent())
      set({ counting: undefined, counted: { source: id, counts: outcome.output } })
  }

  store.subscribe(({ conversation, counting }, before) => {
    if (counting !== undefined && conversation !== before.conversation) void count()
  })

  /** Restarts the worker if the model needs another encoding, and reads the text again; false if it does not. */
  const updateEncoding = (): boolean => {
    const next = familyOf(get()).encoding
    if (next === encoding) return false
    encoding = next
    worker.restart(next)
    set({ counted: undefined, counting: undefined })
    const { source } = get()
    if (source.text !== '') void readSource(source)
    return true
  }

  /** Readings of an older number are dropped. */
  let readings = 0

  const readSource = async (source: SourceText): Promise<void> => {
    const own = ++readings
    const isCurrent = () => get().source.id === source.id
    set({ reading: { state: 'reading', done: 0 } })
    const outcome = await run('read', inputOf(source), (done) => {
      if (isCurrent()) set({ reading: { state: 'reading', done } })
    })
    if (own !== readings || !isCurrent()) return
    if (outcome.state === 'done') show(source, outcome.output)
    else if (outcome.state === 'unreadable') refuse(source, outcome)
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
    if (!updateEncoding()) void count()
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
  return { run, learn, readSource, afterTyping, tryReplacing, updateEncoding }
}

function inputOf({ id, text, file, readAs }: SourceText): Jobs['read']['input'] {
  return { document: id, text, file, format: readAs }
}
