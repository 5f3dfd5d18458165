import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { type Messages, type NamespaceKeys, type NestedKeyOf, useTranslations } from 'use-intl'
import { useStore } from 'zustand'
import { afterFrame, runInTasks } from '@/lib/state/deferred-state'
import { LONGEST_AT_ONCE } from '@/lib/state/document/large-text'
import { isBlank } from '@/lib/state/document/selectors'
import { createFileList, type FileList } from '@/lib/state/files/file-list'
import type { FileListState } from '@/lib/state/files/file-list-store'
import { createPlayground, type Playground } from '@/lib/state/playground'
import { previewedStore } from '@/lib/state/policy/preview'
import type { PlaygroundState } from '@/lib/state/store'
import { riskOf } from '@/lib/state/uses/later-uses'
import { useFigureFormat } from './language-provider'
import { useWindowEvents } from './use-events'

interface Provided {
  readonly playground: Playground
  readonly fileList: FileList
  /** The same without the policy that is looked at. */
  readonly committed?: Provided
}

const PlaygroundContext = createContext<Provided | undefined>(undefined)

/** Provides a playground and a file list to the views below. */
export function PlaygroundProvider({ children }: { children: ReactNode }) {
  const [all] = useState(() => {
    const playground = createPlayground()
    return { playground, fileList: createFileList(playground) }
  })
  return <PlaygroundContext value={all}>{children}</PlaygroundContext>
}

function useAll() {
  const all = useContext(PlaygroundContext)
  if (all === undefined) throw new Error('usePlayground needs a PlaygroundProvider above it.')
  return all
}

export const usePlayground = (): Playground => useAll().playground

/** Shows what is inside with the policy that is looked at, if there is one. Escape ends that. */
export function Previewed({ children }: { children: ReactNode }) {
  const all = useAll()
  const { store, deferred, actions } = all.playground
  const previewed = useMemo(() => {
    const stores = { store: previewedStore(store), deferred: previewedStore(deferred) }
    return { ...all, playground: { ...all.playground, ...stores }, committed: all }
  }, [all, store, deferred])
  const box = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      // As high as before, so that what is pointed at does not move.
      deferred.subscribe(({ preview }, before) => {
        if (box.current === null || (preview && before.preview)) return
        const { style, offsetHeight } = box.current
        style.cssText = preview ? `height:${offsetHeight}px;overflow-y:clip` : ''
      }),
    [deferred],
  )
  const end = ({ key }: KeyboardEvent) => key === 'Escape' && actions.preview(undefined)
  useWindowEvents({ keydown: end }, { isCapture: true })
  return (
    <PlaygroundContext value={previewed}>
      <div ref={box}>{children}</div>
    </PlaygroundContext>
  )
}

/** Shows what is inside with the current policy, within what is shown with the one that is looked at. */
export function Committed({ children }: { children: ReactNode }) {
  const all = useAll()
  return <PlaygroundContext value={all.committed ?? all}>{children}</PlaygroundContext>
}

export const useFileList = (): FileList => useAll().fileList

/** What most views need: the texts of a part of the page, the number formats, and the playground with its actions. */
export function useView<Part extends NamespaceKeys<Messages, NestedKeyOf<Messages>>>(part: Part) {
  return { ...usePlayground(), t: useTranslations(part), format: useFigureFormat() }
}

/** Selects a part of the state, for example with a selector of `lib/state/selectors`. */
export function usePlaygroundState<Part>(select: (state: PlaygroundState) => Part): Part {
  return useStore(usePlayground().store, select)
}

/** Like `usePlaygroundState`, for slow views: a change of the settings reaches them after the next frame. */
export function useDeferredState<Part>(select: (state: PlaygroundState) => Part): Part {
  return useStore(usePlayground().deferred, select)
}

/** Selects a part of the state of the file list, for example with a selector of `lib/state/files/file-list-rows`. */
export function useFileListState<Part>(select: (state: FileListState) => Part): Part {
  return useStore(useFileList().store, select)
}

export interface Shown<Value> {
  /** Undefined until it is known for the conversation on the page: that of another is not shown. */
  readonly shown: Value | undefined
  /** True for the last one known, while a newer one is awaited. */
  readonly isOld: boolean
}

/** What `select` returns of the deferred state or the newest one, or the last value of the same conversation while it is undefined. */
export function useShown<Value>(
  select: (state: PlaygroundState) => Value | undefined,
  useSelected: typeof usePlaygroundState = useDeferredState,
): Shown<Value> {
  return useShownOf(useSelected(select), useSelected(conversationKeyOf))
}

/** The same of a value of the conversation with this key. */
export function useShownOf<Value>(
  value: Value | undefined,
  conversation: string | undefined,
): Shown<Value> {
  const onPage = usePlaygroundState(conversationKeyOf)
  const known = useMemo(
    () => (value === undefined ? undefined : { value, conversation }),
    [value, conversation],
  )
  const [last, setLast] = useState(known)
  useEffect(() => {
    if (known !== undefined) setLast(known)
  }, [known])
  const latest = known ?? last
  const shown = onPage !== undefined && latest?.conversation === onPage ? latest.value : undefined
  return { shown, isOld: value === undefined && shown !== undefined }
}

/** Names the conversation on the page: each document that is opened, each sample, and each conversation has another key. */
export function conversationKeyOf({ read, conversation }: PlaygroundState): string | undefined {
  // All samples are one document, with one draft.
  return read && `${read.source.document}/${read.source.name}/${conversation}`
}

/**
 * The newest deferred state from which the selectors have computed what they remember. For a large document they do so in tasks
 * of their own, and the state is undefined before that, or an older one.
 */
export function useComputedState(selectors: readonly ((state: PlaygroundState) => unknown)[]) {
  const state = useDeferredState((whole) => whole)
  const [computed, setComputed] = useState<PlaygroundState>()
  const isLarge = state.source.text.length > LONGEST_AT_ONCE
  useEffect(() => {
    if (!isLarge) return
    const steps = selectors.map((select) => () => select(state))
    return runInTasks([...steps, () => setComputed(state)])
  }, [state, isLarge, selectors])
  return isLarge ? computed : state
}

/** A large file can take longer; then its code loads before its figures. */
const LONGEST_WAIT_MS = 10_000

/** True from the first figures on, or when none will come. Code that loads only then does not delay them. */
export function useAfterFigures(): boolean {
  const [isAfter, setAfter] = useState(false)
  // Constant from then on, as figures come and go with each step of a slider.
  const hasFigures = usePlaygroundState(
    (state) =>
      isAfter ||
      riskOf(state) !== undefined ||
      state.reading.state === 'failed' ||
      state.notices.length > 0 ||
      isBlank(state),
  )
  useEffect(() => {
    if (isAfter) return
    const timer = setTimeout(() => setAfter(true), hasFigures ? 0 : LONGEST_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isAfter, hasFigures])
  return isAfter
}

/** Draws its content in a task of its own, after the next frame. */
export function AfterFrame({ children }: { children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => afterFrame(() => setDrawn(true)), [])
  return isDrawn && children
}
