/**
 * Drafts in IndexedDB: one object store with keys `draft/…`, `body/…` and `text/…`. Each change is one transaction,
 * so a draft is stored with all its texts or not at all. A long text is cut into `part/…`.
 */
import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import { sliceText, TextPieces } from '@/lib/core/text/span'
import { nextTask } from '@/lib/worker/run-in-steps'
import { browserDatabases } from '../sync-stored'
import type {
  DraftBody,
  DraftRecord,
  LoadedDraft,
  LoadedText,
  TextsInStore,
  WholeText,
} from './restore-draft'
import { CHARS_OF_PART, newKey } from './restore-draft'

const DATABASE = 'masking-playground'
const STORE = 'drafts'
/** Replaced whenever everything is deleted, so that other tabs cannot write old drafts again. */
const EPOCH = 'epoch'

const DRAFTS = 'draft/'
const BODIES = 'body/'
const TEXTS = 'text/'
const PARTS = 'part/'

/** A text as it is stored. */
type TextRecord = LoadedText | { readonly parts: number }

/** Builds a draft, and adds the texts that are not stored yet. */
type Build = (texts: TextsInStore) => Pick<LoadedDraft, 'record' | 'body'>

export type DraftDatabase = ReturnType<typeof openDraftDatabase>

export function openDraftDatabase() {
  let opened: UseStore | undefined
  /** Gives the result of `work` once its transaction is committed; nothing is written if it fails. */
  const transact = async <Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> => {
    if (browserDatabases() === undefined)
      throw new DOMException('It has no IndexedDB.', 'InvalidStateError')
    opened ??= createStore(DATABASE, STORE)
    return opened(mode, async (store) => {
      const committed = promisifyRequest(store.transaction)
      try {
        const result = await work(store)
        await committed
        return result
      } catch (error) {
        committed.catch(() => {})
        try {
          store.transaction.abort()
        } catch {
          // It has ended.
        }
        throw error
      }
    })
  }
  const read = <Value>(key: string) => transact('readonly', (store) => valueAt<Value>(store, key))

  /**
   * Loads a long text, which is not joined: views read the pieces, the worker reads the file. Undefined if it was deleted
   * meanwhile. Each part has its own transaction, since a browser can deliver all results of a transaction in one task.
   */
  const loadParts = async (key: string, count: number): Promise<WholeText | undefined> => {
    const pieces = new TextPieces()
    const blobs: Blob[] = []
    let text = ''
    for (let at = 0; at < count; at++) {
      const part = await read<string>(partKey(key, at))
      if (part === undefined) return undefined
      pieces.add(part)
      text += part
      // UTF-8 has no lone surrogates, so a file would have another text.
      if (part.isWellFormed()) blobs.push(new Blob([part]))
      await nextTask()
    }
    return { text, pieces, file: blobs.length === count ? new Blob(blobs) : undefined }
  }

  return {
    epoch: () => read<string>(EPOCH),
    list: () => transact('readonly', recordsIn),
    /** Undefined if there is no such draft. */
    load: async (id: string): Promise<LoadedDraft | undefined> => {
      const loaded = await transact('readonly', async (store) => {
        const record = await valueAt<DraftRecord>(store, DRAFTS + id)
        const body = await valueAt<DraftBody>(store, BODIES + id)
        if (record === undefined || body === undefined) return undefined
        const texts = record.texts.map((key) => valueAt<TextRecord>(store, TEXTS + key))
        return { record, body, texts: await Promise.all(texts) }
      })
      if (loaded === undefined) return undefined
      const texts = new Map<string, LoadedText>()
      for (const [at, key] of loaded.record.texts.entries()) {
        const stored = loaded.texts[at]
        const isCut = stored !== undefined && 'parts' in stored
        const text = isCut ? await loadParts(key, stored.parts) : stored
        if (text !== undefined) texts.set(key, text)
      }
      return { ...loaded, texts }
    },
    /**
     * Rejects with the browser's error if there is no space; then nothing is written. `revision` is the last one this tab
     * knows. `overtaken`: another tab has written this draft meanwhile. `forgotten`: everything was deleted meanwhile.
     */
    save: (id: string, revision: string | undefined, epoch: string | undefined, build: Build) =>
      transact('readwrite', async (store) => {
        const written = await valueAt<string>(store, EPOCH)
        const records = await recordsIn(store)
        const before = records.find((record) => record.id === id)
        if (written !== undefined && written !== epoch) return 'forgotten'
        if (before !== undefined && before.revision !== revision) return 'overtaken'
        return putDraft(store, build, records, before)
      }),
    /** Saves a conversation as a draft; `again` if it replaced the draft with the same `thread` key. */
    saveConversation: (
      thread: string,
      build: (id: string, ...texts: Parameters<Build>) => ReturnType<Build>,
    ): Promise<'new' | 'again'> =>
      transact('readwrite', async (store) => {
        const records = await recordsIn(store)
        const before = records.find((record) => record.thread === thread)
        const id = before?.id ?? newKey()
        await putDraft(store, (texts) => build(id, texts), records, before)
        return before === undefined ? 'new' : 'again'
      }),
    /** Deletes a draft and the texts that no other draft uses. */
    remove: (id: string): Promise<void> =>
      transact('readwrite', async (store) => {
        const stored = await textKeysIn(store)
        const records = await recordsIn(store)
        store.delete(DRAFTS + id)
        store.delete(BODIES + id)
        deleteUnused(
          store,
          stored,
          records.filter((record) => record.id !== id),
        )
      }),
    forgetEverything: (): Promise<void> =>
      transact('readwrite', async (store) => {
        store.clear()
        await promisifyRequest(store.put(newKey(), EPOCH))
      }),
  }
}

const valueAt = <Value>(store: IDBObjectStore, key: string) =>
  promisifyRequest<Value | undefined>(store.get(key))

const recordsIn = (store: IDBObjectStore) =>
  promisifyRequest<DraftRecord[]>(store.getAll(below(DRAFTS)))

async function textKeysIn(store: IDBObjectStore): Promise<string[]> {
  const keys = await promisifyRequest(store.getAllKeys(below(TEXTS)))
  return keys.map((key) => String(key).slice(TEXTS.length))
}

/** Puts a draft with its new texts, and deletes those that only its record `before` used. */
async function putDraft(
  store: IDBObjectStore,
  build: Build,
  records: readonly DraftRecord[],
  before: DraftRecord | undefined,
): Promise<DraftRecord> {
  const added: TextsInStore['added'] = new Map()
  const { record: built, body } = build({ stored: new Set(await textKeysIn(store)), added })
  const order = 1 + Math.max(0, ...records.map((other) => other.order ?? 0))
  const record = { ...built, order }
  const put = (value: unknown, key: string) => promisifyRequest(store.put(value, key))
  // One after the other, and a long text part by part.
  for (const [key, stored] of added) {
    let written: TextRecord
    if ('base' in stored || 'edits' in stored) written = stored
    else if (stored.text.length <= CHARS_OF_PART) written = { text: stored.text.slice(0) }
    else {
      let parts = 0
      for (const part of sliceText(stored.text, CHARS_OF_PART))
        await put(part, partKey(key, parts++))
      written = { parts }
    }
    await put(written, TEXTS + key)
  }
  await put(record, DRAFTS + record.id)
  await put(body, BODIES + record.id)
  const others = records.filter((other) => other !== before)
  deleteUnused(store, before?.texts ?? [], [record, ...others])
  return record
}

function deleteUnused(
  store: IDBObjectStore,
  texts: readonly string[],
  records: readonly DraftRecord[],
): void {
  const needed = new Set(records.flatMap((record) => record.texts))
  for (const key of texts) {
    if (needed.has(key)) continue
    store.delete(TEXTS + key)
    store.delete(below(`${PARTS}${key}/`))
  }
}

const partKey = (key: string, at: number) => `${PARTS}${key}/${at}`

const below = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
