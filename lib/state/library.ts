/**
 * Many files at once: those chosen or dropped together and those packed in an archive. A file that comes alone is opened
 * in the page; several are listed, each read and counted under the page's policy, and one of them is opened by choosing it.
 */
import { archiveKind } from '@/lib/core/files/archive-kind'
import { MAX_FILES } from '@/lib/core/files/byte-sink'
import { fileTooLarge, MAX_FILE_BYTES, textOfFile } from '@/lib/core/formats/text-of-file'
import { type Problem, ReadError } from '@/lib/core/problem'
import { isSessionFile } from '@/lib/core/share/session-file'
import type { SpawnWorker } from '@/lib/worker/client'
import { spawnWorker } from '@/lib/worker/spawn'
import { isConfigName, openConfig } from './config-file'
import type { NamedFile } from './dropped-files'
import { openedFileOf, readableFilesOf, termsKeyOf } from './library-rows'
import { type Column, createLibraryStore, type LibraryFile } from './library-store'
import { createLibraryWorkers } from './library-workers'
import type { Playground } from './playground'
import { openSession } from './session'

export type Library = ReturnType<typeof createLibrary>

/** A pause in changing the policy after which the totals are worth renewing. */
const MILLISECONDS_BEFORE_RENEWING = 400

/** Unpacking that takes longer is said; the list says its own. */
const MILLISECONDS_BEFORE_SAYING = 500

type Content = () => Promise<Uint8Array>

export function createLibrary(playground: Playground, spawn: SpawnWorker = spawnWorker) {
  const store = createLibraryStore()
  const { getState: get, setState: set } = store
  const workers = createLibraryWorkers(spawn)
  const contents = new Map<number, { readonly content: Content; readonly unpackedBytes: number }>()
  let nextId = 1
  /** The newest run; an older one ends at its next step. */
  let newestRun = 0

  const termsNow = () => {
    const { policy, model } = playground.store.getState()
    return { policy, model, key: termsKeyOf({ policy, model }) }
  }

  const setFile = (id: number, state: LibraryFile['state']) =>
    set(({ files }) => ({
      files: files.map((file) => (file.id === id ? { ...file, state } : file)),
    }))

  const fileOf = (name: string, content: Content, unpackedBytes = 0): LibraryFile => {
    const id = nextId++
    contents.set(id, { content, unpackedBytes })
    return { id, name, state: { state: 'waiting' } }
  }

  const failedFile = (name: string, problem: Problem): LibraryFile => ({
    id: nextId++,
    name,
    state: { state: 'failed', problem },
  })

  /** Unpacks an archive; undefined when it was stopped. */
  const unpack = async (name: string, bytes: Uint8Array) => {
    const sizes = [...contents.values()].map(({ unpackedBytes }) => unpackedBytes)
    const taken = { bytes: sizes.reduce((sum, size) => sum + size, 0), files: get().files.length }
    const files = await workers.unpack(name, bytes, taken)
    return files?.map((file) =>
      'problem' in file
        ? failedFile(file.name, file.problem)
        : fileOf(file.name, async () => file.bytes, file.bytes.length),
    )
  }

  /** Puts files in the list; one of the same name is a newer state of it. */
  const add = (added: readonly LibraryFile[], at?: number) => {
    const names = new Set(added.map(({ name }) => name))
    set(({ files }) => {
      const place = files.findIndex(({ id }) => id === at)
      const before = place === -1 ? files : files.slice(0, place)
      const after = place === -1 ? [] : files.slice(place + 1)
      const isOther = ({ name }: LibraryFile) => !names.has(name)
      const all = [...before.filter(isOther), ...added, ...after.filter(isOther)]
      const isKept = new Set(all.map(({ id }) => id))
      for (const id of contents.keys()) if (!isKept.has(id)) contents.delete(id)
      return { files: all }
    })
  }

  /** Reads one file of the list: an archive gives way to its files, anything else gets its totals or its problem. */
  const readFile = async (
    { id, name, state }: LibraryFile,
    onProgress: (done: number) => void,
  ): Promise<void> => {
    const content = contents.get(id)
    if (content === undefined) return
    const terms = termsNow()
    try {
      if (state.state === 'waiting' && content.unpackedBytes === 0) {
        const bytes = await content.content()
        if (archiveKind(bytes) !== undefined) {
          const members = await unpack(name, bytes)
          if (members !== undefined) add(members, id)
          return
        }
      }
      const question = { file: id, policy: terms.policy, model: terms.model }
      const answer = await workers.survey(question, content.content, onProgress)
      if (answer === undefined) return
      if ('problem' in answer) setFile(id, { state: 'failed', problem: answer.problem })
      else setFile(id, { state: 'surveyed', facts: answer.facts, key: terms.key })
    } catch (error) {
      setFile(id, { state: 'failed', problem: problemOf(error) })
    }
  }

  const isDue = ({ state }: LibraryFile): boolean =>
    state.state === 'waiting' || (state.state === 'surveyed' && state.key !== termsNow().key)

  /** Reads every file that is not read yet or was under another policy. */
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
    if (run === newestRun) set({ work: undefined })
  }

  /** One transcript among files that are none needs no choosing. */
  const openOnlyOne = (added: ReadonlySet<string>) => {
    const isAdded = ({ name }: LibraryFile) =>
      [...added].some((other) => name === other || name.startsWith(`${other}/`))
    const readable = get().files.filter((file) => file.state.state === 'surveyed' && isAdded(file))
    const [only] = readable
    if (only === undefined || readable.length > 1) return
    set({ isOpen: false })
    void actions.openFile(only.id)
  }

  const list = async (added: readonly LibraryFile[], names: readonly string[]) => {
    set({ isOpen: true })
    const { source } = playground.store.getState()
    add(added)
    await readAll()
    if (playground.store.getState().source.id === source.id) openOnlyOne(new Set(names))
  }

  const openAlone = async ({ name, file }: NamedFile): Promise<void> => {
    try {
      const bytes = await bytesOf(file)
      if (archiveKind(bytes) === undefined) return openBytes(name, bytes)
      const said = setTimeout(() => {
        playground.actions.notify('unpacking', { name })
      }, MILLISECONDS_BEFORE_SAYING)
      const members = await unpack(name, bytes).finally(() => clearTimeout(said))
      const [member] = members ?? []
      if (members === undefined || member === undefined) return
      if (members.length > 1) return await list(members, [name])
      const own = contents.get(member.id)
      contents.delete(member.id)
      if (own !== undefined) openBytes(member.name, await own.content())
      else if (member.state.state === 'failed')
        playground.actions.reportProblem(member.state.problem, name)
    } catch (error) {
      playground.actions.reportProblem(problemOf(error), name)
    }
  }

  /** Opens a file's text in the page; throws a `ReadError` for one that is none. */
  const openBytes = (name: string, bytes: Uint8Array) => {
    const text = textOfFile(bytes)
    if (isSessionFile(text)) openSession(playground, text, name)
    else if (isConfigName(name)) openConfig(playground, name, text)
    else playground.actions.openText(text, name, { kind: 'file' })
  }

  const actions = {
    /** Opens one file, or lists several. Never throws: what is wrong with a file is said. */
    openFiles: async (files: readonly NamedFile[]): Promise<void> => {
      const [first, ...more] = files
      if (first === undefined) return
      if (more.length === 0) return openAlone(first)
      const room = Math.max(1, MAX_FILES - get().files.length)
      const named = withOwnNames(files.slice(0, room))
      const listed = named.map(({ name, file }) => fileOf(name, () => bytesOf(file)))
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
    /** Opens a file of the list in the page; the list stays. */
    openFile: async (id: number): Promise<void> => {
      const file = get().files.find((other) => other.id === id)
      const content = contents.get(id)
      if (file === undefined || content === undefined) return
      try {
        openBytes(file.name, await content.content())
      } catch (error) {
        playground.actions.reportProblem(problemOf(error), file.name)
      }
    },
    /** Opens the next or the last transcript of the list as it is sorted; nothing at its ends. */
    step: (by: -1 | 1): void => {
      const readable = readableFilesOf(get())
      const opened = openedFileOf(get(), playground.store.getState())
      const at = readable.findIndex(({ id }) => id === opened?.id)
      const next = at === -1 ? readable[0] : readable[at + by]
      if (next !== undefined) void actions.openFile(next.id)
    },
    /** Ends the reading; what is known stays. */
    stop: (): void => {
      newestRun++
      workers.stop()
      set({ work: undefined, isStopped: true })
    },
    /** Goes on where the reading was stopped. */
    resume: (): void => void readAll(),
    sortBy: (column: Column): void =>
      set(({ sorting }) => ({
        sorting:
          sorting?.column !== column
            ? { column, isDescending: column !== 'name' && column !== 'format' }
            : { column, isDescending: !sorting.isDescending },
      })),
    setOpen: (isOpen: boolean): void => set({ isOpen }),
    /** Empties the list; what is open in the page stays. */
    clear: (): void => {
      newestRun++
      workers.stop()
      contents.clear()
      set({ files: [], work: undefined, isStopped: false, isOpen: false })
    },
  }

  let settling: ReturnType<typeof setTimeout> | undefined
  playground.store.subscribe((state, before) => {
    if (state.policy === before.policy && state.model === before.model) return
    clearTimeout(settling)
    settling = setTimeout(() => {
      const { isStopped, work, files } = get()
      // A reading under way comes to them by itself.
      if (!isStopped && work === undefined && files.some(isDue)) void readAll()
    }, MILLISECONDS_BEFORE_RENEWING)
  })

  return { store, actions }
}

/** Files of one name, dropped from several folders at once, are told apart by a number. */
function withOwnNames(files: readonly NamedFile[]): NamedFile[] {
  const taken = new Set<string>()
  return files.map(({ name: given, file }) => {
    let name = given
    for (let copy = 2; taken.has(name); copy++) name = `${given} (${copy})`
    taken.add(name)
    return { name, file }
  })
}

async function bytesOf(file: NamedFile['file']): Promise<Uint8Array> {
  // Surely too long whatever it is, packed or not: not worth its memory.
  if (file.size > MAX_FILE_BYTES) throw fileTooLarge(file.size)
  return new Uint8Array(await file.arrayBuffer())
}

/** What a reading failed by; else the browser could not read the file: it was moved, or may not be read. */
function problemOf(error: unknown): Problem {
  if (error instanceof ReadError) return error.problem
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 'unreadable_file', values: { reason }, offset: undefined }
}
