/** Creates the page's store and worker, and the actions that views call. */
import type { FormatId } from '@/lib/core/formats/read-document'
import { type Problem, sentenceOf } from '@/lib/core/problem'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { formatJson } from '@/lib/core/text/format-json'
import { applyEdits, type Edit } from '@/lib/core/text/span'
import { phrase } from '@/lib/core/words/words'
import { type SpawnWorker, spawnWorker } from '@/lib/worker/worker-client'
import type { LinkView } from '../core/share/link/settings-link'
import { createCostsActions } from './costs/costs-actions'
import { triedMechanismOf } from './costs/tried-mechanism'
import { deferState } from './deferred-state'
import { copiedRequestsIn, createPasteActions, createReader } from './document/document-reader'
import type { DocumentOrigin, Selection, SourceText } from './document/document-slice'
import { LINKED_NAME, pastedName } from './document/document-slice'
import { LONGEST_AT_ONCE } from './document/large-text'
import { rememberSource, restoreSource } from './document/remembered-source'
import {
  coversAll,
  documentAfter,
  earlierSource,
  policyAfter,
  rememberText,
  type TextStep,
} from './document/text-steps'
import { remember, takeStep } from './history'
import { createLoopActions } from './loop/repeated-calls'
import { createNotify, reasonValues, watchNotices } from './notices'
import { createPolicyActions, snapshotOf } from './policy/policy-actions'
import { policyOnceRead } from './policy/policy-slice'
import { createPreview } from './policy/preview'
import { createRepairActions } from './repair/document-repair'
import { createPlaygroundStore, type PlaygroundState } from './store'

export type Playground = ReturnType<typeof createPlayground>

/** What may be known of a text that is opened. `pieces` and `file` have the same text. */
type GivenSource = Pick<SourceText, 'readAs' | 'pieces' | 'file'>

/** The part of the state that a draft restores. */
export type Resumed = Pick<
  PlaygroundState,
  | 'source'
  | 'policy'
  | 'policyFrom'
  | 'mechanism'
  | 'pinned'
  | 'history'
  | 'model'
  | 'extras'
  | 'linkConversation'
>

const NO_DOCUMENT = { read: undefined, reading: { state: 'idle' }, selection: undefined } as const

export function createPlayground(spawn: SpawnWorker = spawnWorker, loadPrices = loadPriceBook) {
  const store = createPlaygroundStore()
  const { getState: get, setState: set } = store
  let nextId = 1

  const notify = createNotify(set, () => nextId++)
  const reader = createReader(store, spawn, notify, loadPrices)
  const { readSource, afterTyping, updateEncoding } = reader

  /** Replaces the source text, as an undo step. `edits` turn the text before into it, if they are known. */
  const replaceText = (
    text: string,
    name: string,
    origin: DocumentOrigin,
    step: TextStep,
    gesture?: string,
    { edits, ...given }: GivenSource & { readonly edits?: readonly Edit[] } = {},
  ) => {
    const before = get()
    // A chosen format survives typing, but not another document.
    const isEdited = step === 'type' || step === 'format' || step === 'repair'
    const readAs = isEdited ? before.source.readAs : given.readAs
    const document = documentAfter(before, step, { text, name, origin }) ?? nextId++
    const next = { text, origin, document }
    const { change: policyChange, from: policyFrom } = policyAfter(before, step, next)
    const facts = { id: nextId++, document, name, origin, readAs, policyChange }
    const source: SourceText = { ...facts, text, pieces: given.pieces, file: given.file }
    // What is typed or pasted is in an editor already.
    const isInEditor = step === 'type' || step === 'paste'
    set({
      source,
      policyFrom,
      jsonDocument: isInEditor ? document : before.jsonDocument,
      history:
        before.source.text === '' && before.source.id === 0
          ? before.history
          : rememberText(before, text, step, gesture, edits),
    })
    if (text === '')
      set({ ...NO_DOCUMENT, conversation: 0, policy: policyOnceRead(source, before.policy) })
    // An editor may report one paste as several edits.
    else if (isInEditor) afterTyping(source, readNewText)
    else readLater(source, readNewText)
  }

  /** Reads a text; a long one in a task of its own, so that undo in quick succession does not send every text. */
  const readLater = (source: SourceText, read: (source: SourceText) => unknown) => {
    if (source.text.length <= LONGEST_AT_ONCE) return read(source)
    set({ reading: { state: 'reading', done: 0 } })
    afterTyping(source, read)
  }

  /**
   * Reads a new text. A request copied as code is replaced by its JSON body first, and streamed answers by their messages,
   * as a separate undo step;
   * undo brings it back through `restore`, which does not replace it again.
   */
  const readNewText = async (source: SourceText) => {
    set({ reading: { state: 'reading', done: 0 } })
    const copied = await copiedRequestsIn(source)
    if (get().source.id !== source.id) return
    if (copied?.body === undefined) return readSource(source)
    const { kind, count, place, body, hasRequests, problems } = copied
    actions.endGesture()
    replaceText(body, source.name, source.origin, 'take_body')
    if (kind !== 'streamed_answer')
      return notify('body_extracted', { kind: phrase(kind), count, place })
    const { count: wrong, ...reasons } = reasonValues(problems.map(sentenceOf))
    const code = hasRequests ? 'stream_read' : 'stream_read_alone'
    notify(code, { count, place, wrong, ...reasons })
  }

  /** Takes one step from `past` (undo) or `future` (redo). */
  const restore = (from: 'past' | 'future') => {
    const now = get()
    let source = now.source
    const moved = takeStep(now.history, from, ({ source: restored, chosen }) => {
      source = restoreSource(restored, now.source)
      const undone = rememberSource(now.source, source.text, restored.text)
      return { ...snapshotOf(now), source: undone, chosen: chosen && { model: now.model } }
    })
    if (moved === undefined) return
    const isOtherText = source.id !== now.source.id
    set({ source, history: moved.history })
    const { policy, policyFrom, mechanism, chosen = now } = moved.snapshot
    set({ policy, policyFrom, mechanism, model: chosen.model })
    if (isOtherText && source.text !== '') readLater(source, readSource)
    else if (isOtherText) set(NO_DOCUMENT)
    if (chosen.model !== now.model) updateEncoding()
  }

  const actions = {
    ...createPolicyActions(store),
    ...createPreview(store),
    undo: () => restore('past'),
    redo: () => restore('future'),
    /** Opens a text as a new document, in the given or the detected format. */
    openText: (text: string, name: string, origin: DocumentOrigin, given?: GivenSource) => {
      const step = origin.kind === 'sample' ? 'sample' : 'open'
      replaceText(text, name, origin, step, undefined, given)
    },
    /** Applies edits from the source pane to the source text. */
    editText: (edits: readonly Edit[]) => {
      const { source } = get()
      const text = applyEdits(source.text, edits)
      const isReplaced =
        source.text.length > 0 && edits.length === 1 && coversAll(edits, source.text)
      if (isReplaced && text !== '') {
        // A separate step; an editor may report one paste as several edits.
        actions.endGesture()
        // Undo in an editor brings back all of an earlier document.
        const pasted = { name: pastedName(text), origin: { kind: 'typed' } } as const
        const { name, origin } = earlierSource(get(), text) ?? pasted
        replaceText(text, name, origin, 'paste', 'type', { edits })
      } else replaceText(text, source.name, { kind: 'typed' }, 'type', 'type', { edits })
    },
    /** Replaces the source text with an editor's text, if the editor cannot report edits. */
    replaceTyped: (text: string) => {
      const { source } = get()
      if (text !== source.text) replaceText(text, source.name, { kind: 'typed' }, 'type', 'type')
    },
    /**
     * Shows what another program has written: what the text has grown to, or another one, as a new document or its own. It is
     * no step to undo: the steps stay, those of settings for this text.
     */
    followText: (text: string, other?: { name: string; document: number | undefined }) => {
      const { source: before, history, policy, policyFrom } = get()
      const { name, document = nextId++ } = other ?? before
      const given = { pieces: undefined, file: undefined, origin: { kind: 'typed' } } as const
      const source: SourceText = { ...before, ...given, id: nextId++, text, name, document }
      const renew = (steps: typeof history.past) => {
        const nearest = steps.findLastIndex(({ snapshot }) => snapshot.source.id !== before.id)
        return steps.map(({ snapshot, ...step }, at) => {
          const old = snapshot.source
          // The nearest other text may be held by how it differs from the one before.
          const near = at > nearest ? rememberSource(source, text, []) : restoreSource(old, before)
          return { ...step, snapshot: { ...snapshot, source: at < nearest ? old : near } }
        })
      }
      set({
        source,
        history: { past: renew(history.past), future: renew(history.future) },
        // What is not worth masking yet, or in the text before, may be now.
        policyFrom: policyFrom === 'session' && (other || !policy.enabled) ? 'default' : policyFrom,
      })
      void readSource(source)
    },
    /** Replaces text, settings and undo history with those of a draft. */
    resume: <Built extends { readonly resumed: Resumed }>(
      build: (newId: () => number) => Built | undefined,
    ): Built | undefined => {
      const built = build(() => nextId++)
      if (built === undefined) return undefined
      set({ ...built.resumed, ...NO_DOCUMENT, conversation: 0, request: undefined })
      actions.readAgain()
      return built
    },
    clearText: () => replaceText('', '', { kind: 'typed' }, 'clear'),
    /** Indents minified JSON; only white space between tokens changes. */
    formatSource: () => {
      const { source } = get()
      const text = formatJson(source.text)
      if (text !== source.text) replaceText(text, source.name, source.origin, 'format')
    },
    /** Applies the offered repair to a text that cannot be read. */
    repairSource: () => {
      const { source, reading } = get()
      if (reading.state !== 'failed' || reading.repair === undefined) return
      actions.endGesture()
      const { repair: edits } = reading
      const text = applyEdits(source.text, edits)
      replaceText(text, source.name, source.origin, 'repair', undefined, { edits })
    },
    /** Reads the text in the given or the detected format. If that fails, notifies the user and changes nothing. */
    readAs: async (format: FormatId | undefined) => {
      const before = get()
      const source: SourceText = { ...before.source, id: nextId++, readAs: format }
      const outcome = await reader.tryReplacing(source)
      if (outcome.state === 'unreadable')
        notify('read_as_refused', { name: source.name }, 'error', outcome.problem)
      else if (outcome.state === 'read')
        set(({ history }) => ({ history: remember(history, snapshotOf(before), 'read_as') }))
    },
    chooseConversation: (conversation: number) =>
      set({ conversation, selection: undefined, request: undefined }),
    select: (message: number, result: number | undefined, by: Selection['by']) =>
      set({ selection: { message, result, by, count: nextId++ } }),
    /** Opens the transcript of a link, as an undo step. */
    openLinkTranscript: () => {
      const { linkTranscript } = get()
      if (linkTranscript === undefined) return
      set({ linkTranscript: undefined })
      actions.openText(linkTranscript, LINKED_NAME, { kind: 'link' })
    },
    /** Remembers which view of the costs is left. */
    setView: (view: LinkView | undefined) =>
      set(({ view: left, costView }) => {
        return { view, costView: left === 'cost' || left === 'mechanisms' ? left : costView }
      }),
    /** Shows the JSON of a text that is too large for the editors. */
    showJson: () => set(({ source }) => ({ jsonDocument: source.document })),
    /** Chooses a model by name; undefined goes back to the transcript's model or the default. */
    chooseModel: (model: string | undefined) => {
      set({ model })
      updateEncoding()
    },
    ...createCostsActions(store),
    ...createRepairActions(store, reader.run),
    ...createLoopActions(store),
    ...createPasteActions(store, reader.run, notify, (text, name) =>
      actions.openText(text, name, { kind: 'paste' }),
    ),
    /** Reads and counts the text again, after the worker crashed. */
    readAgain: () => {
      const { source } = get()
      // A new worker needs its own counts for jobs about costs.
      set({ counted: undefined })
      if (source.text !== '') readSource(source)
    },
    notify,
    /** Notifies the user why a file was refused. */
    reportProblem: (problem: Problem, name: string) =>
      notify('problem', { name }, 'error', problem),
    dismissNotice: (id: number) =>
      set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
  }

  watchNotices(store)
  // One that a link or a draft names and this version does not know.
  store.subscribe((state) => {
    const { id = '' } = state.mechanism ?? {}
    if (triedMechanismOf(state) !== null) return
    set({ mechanism: undefined })
    notify('mechanism_unknown', { id }, 'error')
  })
  const { run, learn, loadPriceList } = reader
  return { store, deferred: deferState(store), actions, run, learn, loadPriceList }
}
