/**
 * The page's actions on its store. `createPlayground` ties a store to a worker; views call the actions it returns.
 * Reading and counting are jobs of the worker; answers to questions that are no longer asked are dropped.
 */
import type { FormatId } from '@/lib/core/formats/format'
import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { LINK_DEFAULTS } from '@/lib/core/share/settings-link'
import { formatJson } from '@/lib/core/text/format-json'
import { applyEdits, type Edit } from '@/lib/core/text/span'
import type { SpawnWorker } from '@/lib/worker/client'
import { spawnWorker } from '@/lib/worker/spawn'
import { endGesture, limitHistory, remember, stepBack, stepForward } from './history'
import { createReader } from './reader'
import { createSavingsActions } from './savings-actions'
import { followSavings } from './savings-jobs'
import {
  createPlaygroundStore,
  type DocumentOrigin,
  LINKED_NAME,
  type NoticeCode,
  type OutputView,
  PASTED_NAME,
  type PlaygroundState,
  type Selection,
  type Snapshot,
  type SourceText,
} from './store'

export type Playground = ReturnType<typeof createPlayground>

/** Steps that stand in the undo history beside the settings' names. */
export type TextStep = 'open' | 'sample' | 'type' | 'paste' | 'format' | 'clear' | 'read_as'

/** Characters of texts kept for undo; the newest text before the present one is kept whatever its size. */
const MAX_CHARS_REMEMBERED = 200_000_000

export function createPlayground(spawn: SpawnWorker = spawnWorker, loadPrices = loadPriceBook) {
  const store = createPlaygroundStore()
  const { getState: get, setState: set } = store
  let nextId = 1

  const notify = (
    code: NoticeCode,
    values: Readonly<Record<string, string | number>> = {},
    kind: 'info' | 'error' = 'info',
    problem?: Problem,
  ) =>
    set(({ notices }) => {
      const others = notices.filter((notice) => notice.code !== code || kind === 'error')
      return { notices: [...others, { id: nextId++, kind, code, values, problem }].slice(-5) }
    })

  const snapshot = ({ policy, source }: PlaygroundState): Snapshot => ({ policy, source })

  const reader = createReader(store, spawn, notify)
  const { readSource, readSoon, countPlaceholders, followEncoding } = reader

  /** Puts a text in the source's place; what was there comes back by undo. */
  const replaceText = (
    text: string,
    name: string,
    origin: DocumentOrigin,
    step: TextStep,
    gesture?: string,
  ) => {
    const before = get()
    // What is typed stays what it was chosen to be; another document is recognised anew.
    const readAs = step === 'type' || step === 'format' ? before.source.readAs : undefined
    const source: SourceText = { id: nextId++, text, name, origin, readAs }
    set({
      source,
      history:
        before.source.text === '' && before.source.id === 0
          ? before.history
          : limitHistory(
              remember(before.history, snapshot(before), step, gesture),
              ({ source: { id, text } }) => ({ key: id, size: text.length }),
              MAX_CHARS_REMEMBERED,
            ),
    })
    if (text === '')
      set({ read: undefined, reading: { state: 'idle' }, selection: undefined, conversation: 0 })
    else if (step === 'type') readSoon(source)
    else void readSource(source)
  }

  const restore = ({ policy, source }: Snapshot) => {
    const isOtherText = source.id !== get().source.id
    set({ policy, source })
    if (isOtherText && source.text !== '') void readSource(source)
    else if (isOtherText) set({ read: undefined, reading: { state: 'idle' }, selection: undefined })
    else void countPlaceholders()
  }

  const actions = {
    /** Changes settings; steps of one gesture are one undo. */
    changePolicy: (change: Partial<MaskPolicy>, gesture?: string) => {
      const before = get()
      const keys = Object.keys(change) as (keyof MaskPolicy)[]
      const changed = keys.filter(
        (key) => !isSameSetting(before.policy[key], change[key] as MaskPolicy[typeof key]),
      )
      if (changed.length === 0) return
      const history = remember(before.history, snapshot(before), changed[0] as string, gesture)
      set({ policy: { ...before.policy, ...change }, history })
      if (changed.includes('placeholderTemplate')) void countPlaceholders()
    },
    /** Ends a drag or a burst of typing, so that the next one is an undo step of its own. */
    endGesture: () => set(({ history }) => ({ history: endGesture(history) })),
    resetPolicy: () => actions.changePolicy(LINK_DEFAULTS),
    undo: () => {
      const move = stepBack(get().history, snapshot(get()))
      if (move === undefined) return
      set({ history: move.history })
      restore(move.snapshot)
    },
    redo: () => {
      const move = stepForward(get().history, snapshot(get()))
      if (move === undefined) return
      set({ history: move.history })
      restore(move.snapshot)
    },
    /** Opens a text as a new document. */
    openText: (text: string, name: string, origin: DocumentOrigin) =>
      replaceText(text, name, origin, origin.kind === 'sample' ? 'sample' : 'open'),
    /** Carries edits typed into the source pane out on the source text. */
    editText: (edits: readonly Edit[]) => {
      const { source } = get()
      const text = applyEdits(source.text, edits)
      const isReplaced =
        source.text.length > 0 && edits.length === 1 && coversAll(edits, source.text)
      if (isReplaced && text !== '') {
        // A new step; an editor may hand over what was pasted in several pieces.
        actions.endGesture()
        replaceText(text, PASTED_NAME, { kind: 'typed' }, 'paste', 'type')
      } else replaceText(text, source.name, { kind: 'typed' }, 'type', 'type')
    },
    /** Takes an editor's whole text where its edits cannot be told apart. */
    replaceTyped: (text: string) => {
      const { source } = get()
      if (text !== source.text) replaceText(text, source.name, { kind: 'typed' }, 'type', 'type')
    },
    clearText: () => replaceText('', '', { kind: 'typed' }, 'clear'),
    /** Lays minified JSON out over lines: only white space between its tokens changes. */
    formatSource: () => {
      const { source } = get()
      const text = formatJson(source.text)
      if (text !== source.text) replaceText(text, source.name, source.origin, 'format')
    },
    /** Reads the text as the format asked for, or as what it is recognised as; where it cannot be, says why and all stays. */
    readAs: async (format: FormatId | undefined) => {
      const before = get()
      const source: SourceText = { ...before.source, id: nextId++, readAs: format }
      const outcome = await reader.readAnew(source)
      if (outcome.state === 'unreadable')
        notify('problem', { name: source.name }, 'error', outcome.problem)
      else if (outcome.state === 'replaced')
        set(({ history }) => ({ history: remember(history, snapshot(before), 'read_as') }))
    },
    chooseConversation: (conversation: number) =>
      set({ conversation, selection: undefined, request: undefined }),
    select: (message: number, result: number | undefined, by: Selection['by']) =>
      set({ selection: { message, result, by, count: nextId++ } }),
    /** Pins the policy as A, to compare what is changed from now on with it; undefined ends the comparison. */
    pin: (pinned: MaskPolicy | undefined) => set({ pinned }),
    /** Takes back what a link opened over the page changed. */
    takeBackLink: () => {
      const { beforeLink } = get()
      if (beforeLink === undefined) return
      const { policy, model, ...others } = beforeLink
      actions.changePolicy(policy)
      set({ ...others, beforeLink: undefined })
      if (model !== get().model) actions.chooseModel(model)
    },
    /** Opens the transcript that came in a link; what was there comes back by undo. */
    openLinkTranscript: () => {
      const { linkTranscript } = get()
      if (linkTranscript === undefined) return
      set({ linkTranscript: undefined })
      actions.openText(linkTranscript, LINKED_NAME, { kind: 'link' })
    },
    clearSelection: () => set({ selection: undefined }),
    setView: (view: OutputView) => set({ view }),
    /** Chooses a model by its name; undefined goes back to the transcript's own or the default. */
    chooseModel: (model: string | undefined) => {
      set({ model })
      followEncoding()
    },
    ...createSavingsActions(store),
    /** Reads the text again, after the worker had stopped. */
    readAgain: () => {
      const { source } = get()
      if (source.text !== '') void readSource(source)
    },
    notify,
    /** Says why a file was refused. */
    reportProblem: (problem: Problem, name: string) =>
      notify('problem', { name }, 'error', problem),
    dismissNotice: (id: number) =>
      set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
  }

  followSavings(store, reader.run, loadPrices)
  return { store, actions }
}

/** Whether edits leave nothing of a text; white space around them does not count. */
function coversAll(edits: readonly Edit[], text: string): boolean {
  const [first] = edits
  if (first === undefined) return false
  return text.slice(0, first.start).trim() === '' && text.slice(first.end).trim() === ''
}
