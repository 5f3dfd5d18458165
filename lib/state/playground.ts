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
import { followCopiedRequests } from './copied-requests'
import { endGesture, limitHistory, remember, stepBack, stepForward } from './history'
import { createLoopActions, followLoops } from './loop'
import { createNotify } from './notify'
import { createReader } from './reader'
import { createRepairActions, followRepair } from './repair'
import { createSavingsActions } from './savings-actions'
import { followSavings } from './savings-jobs'
import {
  createPlaygroundStore,
  type DocumentOrigin,
  LINKED_NAME,
  type OutputView,
  PASTED_NAME,
  type PlaygroundState,
  type Selection,
  type Snapshot,
  type SourceText,
} from './store'
import { coversAll, documentAfter, type TextStep } from './text-steps'

export type Playground = ReturnType<typeof createPlayground>

/** The part of the state that a draft brings back. */
export type Resumed = Pick<
  PlaygroundState,
  'source' | 'policy' | 'pinned' | 'history' | 'model' | 'extras' | 'linkConversation'
>

/** Characters of texts kept for undo; the newest text before the present one is kept whatever its size. */
const MAX_CHARS_REMEMBERED = 200_000_000

export function createPlayground(spawn: SpawnWorker = spawnWorker, loadPrices = loadPriceBook) {
  const store = createPlaygroundStore()
  const { getState: get, setState: set } = store
  let nextId = 1

  const notify = createNotify(store, () => nextId++)
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
    chosen?: FormatId,
  ) => {
    const before = get()
    // What is typed stays what it was chosen to be; another document is recognised anew.
    const readAs = step === 'type' || step === 'format' ? before.source.readAs : chosen
    const document = documentAfter(before, step, { text, name, origin }) ?? nextId++
    const source: SourceText = { id: nextId++, document, text, name, origin, readAs }
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
    endGesture: (gesture?: string) =>
      set(({ history }) => ({ history: endGesture(history, gesture) })),
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
    /** Opens a text as a new document, read as the format given, else as what it is recognised as. */
    openText: (text: string, name: string, origin: DocumentOrigin, readAs?: FormatId) => {
      const step = origin.kind === 'sample' ? 'sample' : 'open'
      replaceText(text, name, origin, step, undefined, readAs)
    },
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
    /** Takes work up as it was left: text, settings and undo history; nothing of what was open stays. */
    resume: (build: (newId: () => number) => Resumed | undefined) => {
      const resumed = build(() => nextId++)
      if (resumed === undefined) return
      set({
        ...resumed,
        read: undefined,
        reading: { state: 'idle' },
        selection: undefined,
        conversation: 0,
        request: undefined,
      })
      actions.readAgain()
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
        notify('read_as_refused', { name: source.name }, 'error', outcome.problem)
      else if (outcome.state === 'replaced')
        set(({ history }) => ({ history: remember(history, snapshot(before), 'read_as') }))
    },
    chooseConversation: (conversation: number) =>
      set({ conversation, selection: undefined, request: undefined }),
    select: (message: number, result: number | undefined, by: Selection['by']) =>
      set({ selection: { message, result, by, count: nextId++ } }),
    /** Pins the policy as A, to compare what is changed from now on with it; undefined ends the comparison. */
    pin: (pinned: MaskPolicy | undefined) => set({ pinned }),
    /** What was A is the policy set, and the other way about. */
    swapPinned: () => {
      const { pinned, policy } = get()
      if (pinned === undefined) return
      actions.changePolicy(pinned)
      actions.endGesture()
      set({ pinned: policy })
    },
    /** Takes back what a link opened over the page changed. */
    takeBackLink: () => {
      const { beforeLink } = get()
      if (beforeLink === undefined) return
      const { policy, model, conversation, ...others } = beforeLink
      actions.changePolicy(policy)
      actions.endGesture()
      set({ ...others, beforeLink: undefined })
      // Another document may have been opened since.
      if (get().read?.model.conversations[conversation] !== undefined) set({ conversation })
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
    ...createRepairActions(store, reader.run),
    ...createLoopActions(store),
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
  followRepair(store, reader.run)
  followLoops(store, reader.run)
  followCopiedRequests(store, ({ text, kind, count, place }) => {
    const { source } = get()
    actions.endGesture()
    replaceText(text, source.name, source.origin, 'take_body')
    notify('body_taken', { kind, count, place })
  })
  return { store, actions, run: reader.run }
}
