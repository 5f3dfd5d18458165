/**
 * Reading and counting of the page's text, by the worker. Answers to questions that are no longer asked are dropped;
 * a crash of the worker is said once.
 */
import type { Problem } from '@/lib/core/problem'
import { createWorkerClient, type SpawnWorker, WorkerCrash } from '@/lib/worker/client'
import type { DocumentModel } from '@/lib/worker/protocol'
import { familyOf } from './models'
import { openingOf } from './opening-conversation'
import { countsOf, placeholderTokensOf } from './selectors'
import type { NoticeCode, PlaygroundStore, SourceText } from './store'

/** A pause in typing after which the text is worth reading. */
const MILLISECONDS_BEFORE_READING = 150

type Notify = (
  code: NoticeCode,
  values: Readonly<Record<string, string | number>>,
  kind: 'error',
) => void

type Replacing =
  | { readonly state: 'replaced' | 'overtaken' }
  | { readonly state: 'unreadable'; readonly problem: Problem }

export function createReader(store: PlaygroundStore, spawn: SpawnWorker, notify: Notify) {
  const { getState: get, setState: set } = store
  let { encoding } = familyOf(get())
  const worker = createWorkerClient(spawn, encoding)

  /** Runs a job; a crash of the worker is said once and gives undefined. */
  const run = async (...job: Parameters<typeof worker.run>) => {
    try {
      return await worker.run(...job)
    } catch (error) {
      if (!(error instanceof WorkerCrash)) throw error
      notify('worker_restarted', { reason: error.message }, 'error')
      set({ reading: { state: 'idle' }, counting: undefined })
      return undefined
    }
  }

  const isAsked = (source: SourceText) => get().source.id === source.id

  const countPlaceholders = async () => {
    const { read, policy } = get()
    if (read === undefined || placeholderTokensOf(get()) !== undefined) return
    const template = policy.placeholderTemplate
    const id = read.source.id
    const result = await run({ kind: 'count_placeholders', document: id, template })
    if (result?.kind !== 'placeholders_counted' || get().read?.source.id !== id) return
    // Of a template that was changed back meanwhile, whose own counts are there.
    if (get().policy.placeholderTemplate !== template) return
    set({ placeholders: { source: id, template, tokens: result.tokens } })
  }

  /** Counts with the model's own encoding: another one takes another worker, which reads the text anew. */
  const followEncoding = (): boolean => {
    const next = familyOf(get()).encoding
    if (next === encoding) return false
    encoding = next
    worker.restart(next)
    set({ counted: undefined, placeholders: undefined, counting: undefined })
    const { source } = get()
    if (source.text !== '') void readSource(source)
    return true
  }

  const count = async () => {
    const { read } = get()
    if (read === undefined || countsOf(get()) !== undefined) return
    const id = read.source.id
    set({ counting: 0 })
    const result = await run({ kind: 'count', document: id }, (done) => {
      if (get().read?.source.id === id) set({ counting: done })
    })
    if (result?.kind !== 'counted' || get().read?.source.id !== id) return
    set({ counting: undefined, counted: { source: id, counts: result.counts } })
    await countPlaceholders()
  }

  const readSource = async (source: SourceText) => {
    set({ reading: { state: 'reading', done: 0 } })
    const result = await run(readJob(source), (done) => {
      if (isAsked(source)) set({ reading: { state: 'reading', done } })
    })
    if (result === undefined || !isAsked(source)) return
    if (result.kind === 'unreadable') {
      set({ reading: { state: 'failed', problem: result.problem } })
      // While typing, the last good reading stays in sight; under another document it would mislead.
      if (source.origin.kind !== 'typed') {
        set({ read: undefined, selection: undefined, conversation: 0 })
      }
    }
    if (result.kind === 'read') await show(source, result.model)
  }

  /** Puts a reading on the page and counts it. */
  const show = async (source: SourceText, model: DocumentModel) => {
    set(({ read, conversation, selection }) => {
      const isSameDocument = read !== undefined && source.origin.kind === 'typed'
      const shown = isSameDocument ? model.conversations[conversation] : undefined
      const isChosenThere = (selection?.message ?? 0) < (shown?.messages.length ?? 0)
      return {
        read: { source, model },
        reading: { state: 'read' },
        conversation: shown === undefined ? openingOf(model).conversation : conversation,
        selection: isChosenThere ? selection : undefined,
        request: undefined,
      }
    })
    if (!followEncoding()) await count()
  }

  /** Reads a source that is to take the present one's place; what cannot be read does not. */
  const readAnew = async (source: SourceText): Promise<Replacing> => {
    const before = get().source
    const result = await run(readJob(source))
    if (get().source.id !== before.id) return { state: 'overtaken' }
    if (result?.kind === 'unreadable') return { state: 'unreadable', problem: result.problem }
    if (result?.kind !== 'read') return { state: 'overtaken' }
    set({ source })
    void show(source, result.model)
    return { state: 'replaced' }
  }

  let typing: ReturnType<typeof setTimeout> | undefined

  /** Reads a text once typing pauses; whatever takes its place meanwhile is read instead. */
  const readSoon = (source: SourceText) => {
    clearTimeout(typing)
    typing = setTimeout(() => {
      if (isAsked(source)) void readSource(source)
    }, MILLISECONDS_BEFORE_READING)
  }

  return { run, readSource, readSoon, readAnew, countPlaceholders, followEncoding }
}

function readJob({ id, text, readAs }: SourceText) {
  return { kind: 'read', document: id, text, format: readAs } as const
}
