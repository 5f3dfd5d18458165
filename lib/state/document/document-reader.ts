/** Opens the page's text with the worker, and restarts the worker when the model needs another encoding. */

import type { CopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import type { loadPriceBook } from '@/lib/core/replay/price-book'
import type { TextSlices } from '@/lib/core/text/span'
import type { Values } from '@/lib/core/words/words'
import type { DocumentModel, JobName, Outcome, Part, RunJob, Unreadable } from '@/lib/worker/jobs'
import { nextTask } from '@/lib/worker/run-in-steps'
import { createWorkerClient, type SpawnWorker } from '@/lib/worker/worker-client'
import { askWorker } from '../ask-worker'
import { familyOf } from '../costs/chosen-model'
import type { NoticeCode } from '../notices'
import { policyOnceRead } from '../policy/policy-slice'
import type { PlaygroundStore } from '../store'
import { openingConversationOf } from './conversation-rows'
import { pastedName, type SourceText } from './document-slice'
import { LONGEST_AT_ONCE } from './large-text'
import { countsOf, slicesOf } from './selectors'

/** A text is read once typing pauses for this long. */
const MILLISECONDS_BEFORE_READING = 150

/** Notices of a text that could not be opened. */
const REFUSALS: readonly NoticeCode[] = ['problem', 'read_as_refused']

/** How the reading of a text ended. */
type Opened = Unreadable | { readonly state: 'read' | 'overtaken' }

export function createReader(
  store: PlaygroundStore,
  spawn: SpawnWorker,
  notify: (code: NoticeCode, values: Values, kind: 'error' | 'info') => void,
  loadPrices: typeof loadPriceBook,
) {
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

  const questions = askWorker(store, worker.want, loadPrices)

  /**
   * Opens a text with the worker in one job, which reads it, counts it and answers what the page lacks. Resolves once it is
   * read; `show` gives false if the page no longer wants it.
   */
  const open = (
    source: SourceText,
    show: (model: DocumentModel) => boolean,
    onReading: (done: number) => void = () => {},
  ): Promise<Opened> =>
    new Promise((resolve) => {
      const isShown = () => get().read?.source === source
      const onPart = (part: Part) => {
        if (part.name === 'model') resolve({ state: show(part.output) ? 'read' : 'overtaken' })
        else if (isShown()) take(source.id, part)
      }
      const onProgress = (done: number) => {
        if (!isShown()) onReading(done)
        // Counting starts again with a conversation that is chosen meanwhile.
        else if (done > (get().counting ?? 1)) set({ counting: done })
      }
      const { id, text, file, readAs: format } = source
      const wanted = questions.wantedOf(isShown())
      const input = { document: id, text, file, format, wanted }
      void run('open', input, { onProgress, onPart }).then((outcome) => {
        resolve(outcome.state === 'unreadable' ? outcome : { state: 'overtaken' })
        if (outcome.state !== 'crashed' || !isShown() || countsOf(get()) === undefined) return
        questions.giveUpFirst()
        void open(source, () => true)
      })
    })

  const take = (source: number, part: Exclude<Part, { readonly name: 'model' }>): void => {
    if (part.name === 'answer') questions.store(part)
    else if (countsOf(get()) !== undefined) return
    else if (part.name === 'counts')
      set({ counting: undefined, counted: { source, counts: part.output } })
    else set({ countedFirst: { source, conversation: part.at, counts: part.output } })
  }

  /** Restarts the worker if the model needs another encoding, and reads the text again. */
  const updateEncoding = (): void => {
    const next = familyOf(get()).encoding
    if (next === encoding) return
    encoding = next
    worker.restart(next)
    set({ counted: undefined, counting: undefined })
    const { source } = get()
    if (source.text !== '') void readSource(source)
  }

  /** Readings of an older number are dropped. */
  let readings = 0

  const readSource = async (source: SourceText): Promise<void> => {
    const own = ++readings
    const isCurrent = () => own === readings && get().source.id === source.id
    set({ reading: { state: 'reading', done: 0 } })
    const showIfCurrent = (model: DocumentModel) => {
      if (isCurrent()) show(source, model)
      return isCurrent()
    }
    const opened = await open(source, showIfCurrent, (done) => {
      if (isCurrent()) set({ reading: { state: 'reading', done } })
    })
    if (opened.state === 'unreadable' && isCurrent()) refuse(source, opened)
  }

  const refuse = (source: SourceText, { problem, repair, formats }: Unreadable): void => {
    set(({ policy }) => ({
      reading: { state: 'failed', problem, repair, formats },
      policy: policyOnceRead(source, policy),
    }))
    // While typing, the last readable text stays in view; with another document it would mislead.
    const isOther = get().read?.source.document !== source.document
    if (source.origin.kind !== 'typed' || isOther) {
      set({ read: undefined, selection: undefined, conversation: 0 })
    }
  }

  /** Puts a document on the page. */
  const show = (source: SourceText, model: DocumentModel): void => {
    set(({ read, counted, policy, conversation, selection, request, notices }) => {
      const isSameDocument =
        source.origin.kind === 'typed' && read?.source.document === source.document
      const shown = isSameDocument ? model.conversations[conversation] : undefined
      const hasSelection = (selection?.message ?? 0) < (shown?.messages.length ?? 0)
      return {
        read: { source, model },
        counting: counted?.source === source.id ? undefined : 0,
        reading: { state: 'read' },
        policy: policyOnceRead(source, policy),
        conversation:
          shown === undefined ? openingConversationOf(model).conversation : conversation,
        selection: hasSelection ? selection : undefined,
        request: isSameDocument ? request : undefined,
        // What could not be opened before no longer matters. Notices and sources are numbered together.
        notices: notices.filter(({ id, code }) => id > source.id || !REFUSALS.includes(code)),
      }
    })
    updateEncoding()
  }

  /** Replaces the present source with this one, unless it cannot be read. */
  const tryReplacing = (source: SourceText): Promise<Opened> => {
    const before = get().source
    return open(source, (model) => {
      if (get().source.id !== before.id) return false
      set({ source })
      show(source, model)
      return true
    })
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
  const { loadPriceList } = questions
  return { run, learn, loadPriceList, readSource, afterTyping, tryReplacing, updateEncoding }
}

/** Offers to replace the text when a whole document is pasted into another one; a sample is replaced without a question. */

const NOTICE = 'pasted_document' satisfies NoticeCode

export function createPasteActions(
  { getState: get, setState: set, subscribe }: PlaygroundStore,
  run: RunJob,
  notify: (code: NoticeCode) => void,
  openPasted: (text: string, name: string) => void,
) {
  const withdraw = () =>
    set(({ notices }) => ({
      pasted: undefined,
      notices: notices.filter(({ code }) => code !== NOTICE),
    }))
  // Once another document is open, or the paste is undone, there is nothing to offer.
  subscribe(({ pasted, source }) => {
    if (pasted === undefined) return
    if (source.document !== pasted.before.document || source.id === pasted.before.id) withdraw()
  })
  /** Replaces the whole text by the pasted one. Undo brings back the text before the paste. */
  const replaceByPasted = () => {
    const { pasted, source, history } = get()
    if (pasted === undefined) return
    const { text, before, after } = pasted
    // The step of the paste goes, unless it is part of a longer one.
    const { past } = history
    const isStep = past.at(-1)?.snapshot.source.id === before.id
    if (source.id === after)
      set({ source: before, history: { ...history, past: isStep ? past.slice(0, -1) : past } })
    withdraw()
    openPasted(text, pastedName(text))
  }
  return {
    /** Offers to replace the whole text, if the pasted text is a whole document. */
    offerReplacing: async (text: string, before: SourceText): Promise<void> => {
      const { source, read } = get()
      const isInside = source.document === before.document && source.id !== before.id
      if (!isInside || before.text.trim() === '' || text.trim() === '') return
      const outcome = await run('recognise', { text })
      if (outcome.state !== 'done' || outcome.output === undefined) return
      const isSample = before.origin.kind === 'sample'
      // Lines are added to a document of lines.
      if (!isSample && outcome.output.layout === 'jsonl' && read?.model.layout === 'jsonl') return
      if (get().source.document !== before.document) return
      set({ pasted: { text, before, after: source.id } })
      if (isSample) replaceByPasted()
      else notify(NOTICE)
    },
    replaceByPasted,
  }
}

const STREAMED = '\ndata:'
const CHARS_OF_PART = 1_000_000

/** Requests copied as code or streamed, in a new text. Its code does not load for a sample of plain JSON. */
export async function copiedRequestsIn(source: SourceText): Promise<CopiedRequests | undefined> {
  const isPlainSample = source.origin.kind === 'sample' && !source.text.includes(STREAMED)
  if (isPlainSample || (await isLongJson(slicesOf(source)))) return undefined
  // Without its code, the worker reads the text as it is, and says what it is.
  const code = await import('@/lib/core/formats/network/recognise-copied-requests').catch(
    () => undefined,
  )
  return code?.recogniseCopiedRequests(source.text)
}

/** True for a long text that begins like JSON and has no line of streamed events. Reads it part by part. */
async function isLongJson(text: TextSlices): Promise<boolean> {
  if (text.length <= LONGEST_AT_ONCE || !/^\s*[[{]/.test(text.slice(0, CHARS_OF_PART))) return false
  for (let start = 0; start < text.length; start += CHARS_OF_PART) {
    const part = text.slice(start, start + CHARS_OF_PART + STREAMED.length - 1)
    if (part.includes(STREAMED)) return false
    await nextTask()
  }
  return true
}
