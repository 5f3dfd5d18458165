/**
 * Opens files. A single transcript opens on the page. Several files, or an archive of several, go to the file list,
 * where each is read and measured under the page's policy.
 */
import { MAX_FILES } from '@/lib/core/files/byte-sink'
import { decodeFile } from '@/lib/core/formats/reading/open-source'
import { ReadError } from '@/lib/core/problem'
import { isSessionFile } from '@/lib/core/share/session-file'
import { nextTask } from '@/lib/worker/run-in-steps'
import { type SpawnWorker, spawnWorker } from '@/lib/worker/worker-client'
import { pastedName } from '../document/document-slice'
import { LONGEST_AT_ONCE } from '../document/large-text'
import type { Playground } from '../playground'
import { isConfigName, type NamedFile, withAgents } from './dropped-files'
import {
  contentOf,
  createFileContents,
  type DecodedText,
  longTextOf,
  problemOf,
  withUniqueNames,
} from './file-contents'
import { isStale, openedFileOf, readableFilesOf, termsKeyOf } from './file-list-rows'
import type { Column, FileFilter, ListedFile, View } from './file-list-store'
import { createFileListStore, createFileListWorkers, NO_FILTER } from './file-list-store'
import { createFleetRecommender } from './fleet-recommender'
import { openSession } from './session-files'

export type FileList = ReturnType<typeof createFileList>

/** Totals are updated once the policy has not changed for this long. */
const MILLISECONDS_BEFORE_RENEWING = 400

/** The first press on such a column sorts from A to Z. */
const TEXT_COLUMNS: readonly Column[] = ['name', 'format', 'model']

/** Unpacking that takes longer shows a notice. */
const MILLISECONDS_BEFORE_SAYING = 500

export function createFileList(playground: Playground, spawn: SpawnWorker = spawnWorker) {
  const store = createFileListStore()
  const { getState: get, setState: set } = store
  const workers = createFileListWorkers(spawn, playground)
  const renewFleet = createFleetRecommender(store, workers, playground)
  const { fileOf, failedFile, open } = createFileContents(workers)
  /** Number of the newest run; older runs end at their next step. */
  let newestRun = 0
  let newestOpening = 0
  let newestComparison = 0
  const endComparison = () => {
    newestComparison++
    set({ comparing: undefined })
  }

  const setFile = (id: number, state: ListedFile['state']) =>
    set(({ files }) => ({
      files: files.map((file) => (file.id === id ? { ...file, state } : file)),
    }))

  /** Adds files to the list; a file replaces one with the same name. */
  const add = (added: readonly ListedFile[], at?: number) => {
    const names = new Set(added.map(({ name }) => name))
    set(({ files }) => {
      const place = files.findIndex(({ id }) => id === at)
      const before = place === -1 ? files : files.slice(0, place)
      const after = place === -1 ? [] : files.slice(place + 1)
      const isOther = ({ name }: ListedFile) => !names.has(name)
      return { files: [...before.filter(isOther), ...added, ...after.filter(isOther)] }
    })
  }

  /** Reads a listed file: replaces an archive by its files, and gives any other file its totals or its problem. */
  const readFile = async (
    { id, name, state, content }: ListedFile,
    onProgress: (done: number) => void,
  ): Promise<void> => {
    if (content === undefined) return
    const page = playground.store.getState()
    const { policy, model, advice } = page
    const key = termsKeyOf(page)
    try {
      let { bytes } = content
      if (state.state === 'waiting') {
        const opened = await open(name, content, get().files)
        if (opened === undefined) return
        if (!(opened instanceof Uint8Array)) return add(opened, id)
        bytes = async () => opened
      }
      const request = { file: id, name, policy, model, advice }
      const measure = await workers.measure(request, bytes, onProgress)
      if (measure !== undefined) setFile(id, { state: 'measured', measure, key })
    } catch (error) {
      setFile(id, { state: 'failed', problem: problemOf(error) })
    }
  }

  const isDue = (file: ListedFile): boolean =>
    file.state.state === 'waiting' || isStale(file, termsKeyOf(playground.store.getState()))

  /** Reads every file that is new or was measured under another policy. */
  const readAll = async (): Promise<void> => {
    const run = ++newestRun
    set({ isStopped: false })
    for (;;) {
      const { files } = get()
      const next = files.find(isDue)
      if (next === undefined || run !== newestRun) break
      const kind = files.some(({ state }) => state.state === 'waiting') ? 'reading' : 'renewing'
      const done = files.length - files.filter(isDue).length
      const tell = (share: number) => {
        if (run === newestRun) set({ work: { kind, done: done + share, all: files.length } })
      }
      tell(0)
      await readFile(next, tell)
    }
    if (run !== newestRun) return
    set({ work: undefined })
    await renewFleet()
  }

  /** Opens the only transcript among the added files. */
  const openOnlyOne = (added: ReadonlySet<string>) => {
    const isAdded = ({ name }: ListedFile) =>
      [...added].some((other) => name === other || name.startsWith(`${other}/`))
    const readable = get().files.filter((file) => file.state.state === 'measured' && isAdded(file))
    const [only] = readable
    if (only === undefined || readable.length > 1) return
    set({ isOpen: false })
    void actions.openFile(only.id)
  }

  const list = async (added: readonly ListedFile[], names: readonly string[]) => {
    set({ isOpen: true })
    const { source } = playground.store.getState()
    add(added)
    await readAll()
    if (playground.store.getState().source.id === source.id) openOnlyOne(new Set(names))
  }

  /** Opens a file, or the only file of an archive; lists the files of an archive that has several. */
  const openAlone = async ({ name, file }: NamedFile): Promise<void> => {
    const opening = ++newestOpening
    let notice: ReturnType<typeof setTimeout> | undefined
    const say = () => playground.actions.notify('unpacking', { name })
    const onUnpack = () => {
      notice = setTimeout(say, MILLISECONDS_BEFORE_SAYING)
    }
    try {
      const decoded = await longTextOf(file)
      if (decoded !== undefined) return await openDecoded(opening, name, decoded, file)
      let only = fileOf(name, contentOf(file))
      while (only.content !== undefined) {
        const opened = await open(only.name, only.content, get().files, onUnpack)
        clearTimeout(notice)
        if (opened instanceof Uint8Array) return await openBytes(opening, only.name, opened)
        const [first, ...others] = opened ?? []
        if (first === undefined) return
        if (others.length > 0) return await list([first, ...others], [name])
        only = first
      }
      if (only.state.state === 'failed') playground.actions.reportProblem(only.state.problem, name)
    } catch (error) {
      clearTimeout(notice)
      playground.actions.reportProblem(problemOf(error), name)
    }
  }

  /** Opens a file's text on the page; throws a `ReadError` if it is not a text. */
  const openBytes = async (opening: number, name: string, bytes: Uint8Array) => {
    const text = decodeFile(bytes)
    if (text.length > LONGEST_AT_ONCE) await nextTask()
    await openDecoded(opening, name, { text })
  }

  /** Opens a text on the page, unless another file was chosen after it. `file` has the same text. */
  const openDecoded = async (
    opening: number,
    name: string,
    { text, pieces }: DecodedText,
    file?: Blob,
  ) => {
    if (opening !== newestOpening && !isConfigName(name)) return
    if (isSessionFile(pieces ?? text)) openSession(playground, text, name)
    else if (isConfigName(name)) (await import('./config-file')).openConfig(playground, name, text)
    else {
      playground.actions.openText(text, name, { kind: 'file' }, file && { pieces, file })
    }
  }

  const actions = {
    /** Opens one file, or lists several. Never throws; problems become notices. */
    openFiles: async (given: readonly NamedFile[]): Promise<void> => {
      const files = await withAgents(given)
      const [first, ...more] = files
      if (first === undefined) return
      if (more.length === 0) return openAlone(first)
      const room = Math.max(1, MAX_FILES - get().files.length)
      const named = withUniqueNames(files.slice(0, room))
      const listed = named.map(({ name, file }) => fileOf(name, contentOf(file)))
      if (files.length > room) {
        const name = first.name.split('/')[0] as string
        const { problem } = new ReadError('archive_many', { name, limit: room })
        listed.push(failedFile(name, problem))
      }
      await list(
        listed,
        named.map(({ name }) => name),
      )
    },
    /** Lists the open document, so that its conversations are measured together. */
    listDocument: async (): Promise<void> => {
      const { text, file, name } = playground.store.getState().source
      const bytes = async () => new Uint8Array(await (file ?? new Blob([text])).arrayBuffer())
      set({ isOpen: true })
      add([fileOf(name || pastedName(text), { bytes })])
      await readAll()
    },
    /** Opens a listed file on the page. */
    openFile: async (id: number): Promise<void> => {
      const file = get().files.find((other) => other.id === id)
      if (file?.content === undefined) return
      const opening = ++newestOpening
      try {
        const bytes = await file.content.bytes()
        if (bytes !== undefined) await openBytes(opening, file.name, bytes)
      } catch (error) {
        playground.actions.reportProblem(problemOf(error), file.name)
      }
    },
    /** Opens the next or previous transcript of the sorted list, if there is one. */
    step: (by: -1 | 1): void => {
      const readable = readableFilesOf(get())
      const opened = openedFileOf(get(), playground.store.getState())
      const at = readable.findIndex(({ id }) => id === opened?.id)
      const next = at === -1 ? readable[0] : readable[at + by]
      if (next !== undefined) void actions.openFile(next.id)
    },
    /** Stops the reading. */
    stop: (): void => {
      newestRun++
      workers.stop()
      set({ work: undefined, isStopped: true })
    },
    compareMechanisms: async (): Promise<void> => {
      const run = ++newestComparison
      const { compareFiles } = await import('./compare-files')
      await compareFiles(store, workers, playground, () => run === newestComparison)
    },
    stopComparing: (): void => {
      endComparison()
      workers.stop()
      if (get().work !== undefined) void readAll()
    },
    /** Continues a stopped reading. */
    resume: (): void => void readAll(),
    sortBy: (column: Column): void =>
      set(({ sorting }) => ({
        sorting:
          sorting?.column !== column
            ? { column, isDescending: !TEXT_COLUMNS.includes(column) }
            : { column, isDescending: !sorting.isDescending },
      })),
    setView: (view: View): void => set({ view, sorting: undefined }),
    setFilter: (change: Partial<FileFilter>): void => {
      set(({ filter }) => ({ filter: { ...filter, ...change } }))
      if (get().work === undefined) void renewFleet()
    },
    setOpen: (isOpen: boolean): void => set({ isOpen }),
    /** Empties the list; the open document stays, and so does the page. */
    clear: (): void => {
      newestRun++
      workers.stop()
      endComparison()
      set({ files: [], work: undefined, isStopped: false, filter: NO_FILTER })
      void renewFleet()
    },
  }

  let settling: ReturnType<typeof setTimeout> | undefined
  playground.store.subscribe((state, before) => {
    if (termsKeyOf(state) === termsKeyOf(before)) return
    clearTimeout(settling)
    settling = setTimeout(() => {
      const { isStopped, work, files } = get()
      // A running reading updates them anyway.
      if (!isStopped && work === undefined && files.some(isDue)) void readAll()
    }, MILLISECONDS_BEFORE_RENEWING)
  })

  return { store, actions }
}
