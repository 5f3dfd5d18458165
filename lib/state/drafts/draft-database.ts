/**
 * Drafts in IndexedDB: one object store with keys `draft/…`, `body/…` and `text/…`. Each change is one transaction,
 * so a draft is stored with all its texts or not at all. A long text is cut into `part/…`: the browser copies a value in
 * one block of the main thread.
 */
import { createStore, type UseStore } from 'idb-keyval'
import { nextTask } from '@/lib/worker/run-in-steps'
import {
  type DraftBody,
  type DraftRecord,
  type LoadedDraft,
  type LoadedText,
  newKey,
  type StoredText,
  TextParts,
  type TextToStore,
} from './draft-records'

const DATABASE = 'masking-playground'
const STORE = 'drafts'
/** Replaced whenever everything is deleted, so that other tabs cannot write old drafts again. */
const EPOCH = 'epoch'

const DRAFTS = 'draft/'
const BODIES = 'body/'
const TEXTS = 'text/'
const PARTS = 'part/'
const CHARS_OF_PART = 1_000_000

/** A text as it is stored. */
type TextRecord = StoredText | { readonly parts: number }

export interface DraftToSave {
  readonly record: DraftRecord
  readonly body: DraftBody
}

/** `overtaken`: another tab has written this draft meanwhile. `forgotten`: everything was deleted meanwhile. */
export type SaveOutcome = 'saved' | 'overtaken' | 'forgotten'

/** `again`: an earlier version of the conversation was replaced. */
export type SaveConversationOutcome = 'new' | 'again'

export interface SaveRequest {
  readonly id: string
  /** The last revision this tab knows; undefined for a new draft. */
  readonly revision: string | undefined
  readonly epoch: string | undefined
  /** Builds the draft, and adds the texts that are not stored yet to `added`. */
  readonly build: (stored: ReadonlySet<string>, added: Map<string, TextToStore>) => DraftToSave
}

export type DraftDatabase = ReturnType<typeof openDraftDatabase>

export function openDraftDatabase() {
  let opened: UseStore | undefined
  /** Runs one transaction and resolves with the result of `work` once it is committed. */
  const transact = async <Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore, done: (result: Result) => void) => void,
  ): Promise<Result | undefined> => {
    if (!globalThis.indexedDB) throw new DOMException('It has no IndexedDB.', 'InvalidStateError')
    opened ??= createStore(DATABASE, STORE)
    return opened(
      mode,
      (store) =>
        new Promise<Result | undefined>((resolve, reject) => {
          const { transaction } = store
          let result: Result | undefined
          transaction.oncomplete = () => resolve(result)
          transaction.onabort = () => reject(failures.get(transaction) ?? transaction.error)
          attempt(transaction, () =>
            work(store, (value) => {
              result = value
            }),
          )
        }),
    )
  }

  /**
   * Loads a long text; undefined if it was deleted meanwhile. Each part has its own transaction, since a browser can deliver
   * all results of a transaction in one task.
   */
  const loadParts = async (key: string, count: number): Promise<LoadedText | undefined> => {
    const parts = new TextParts()
    for (let at = 0; at < count; at++) {
      const part = await transact<string>('readonly', (store, done) => {
        onResult(store.get(partKey(key, at)), done)
      })
      if (part === undefined) return undefined
      parts.add(part)
      await nextTask()
    }
    return parts.finish()
  }

  return {
    epoch: () =>
      transact<string>('readonly', (store, done) => {
        onResult(store.get(EPOCH), done)
      }),
    list: async () =>
      (await transact<DraftRecord[]>('readonly', (store, done) => {
        onResult(store.getAll(below(DRAFTS)), done)
      })) ?? [],
    /** Undefined if there is no such draft. */
    load: async (id: string): Promise<LoadedDraft | undefined> => {
      const texts = new Map<string, LoadedText>()
      const partsOf = new Map<string, number>()
      const loaded = await transact<LoadedDraft>('readonly', (store, done) => {
        const body: IDBRequest<DraftBody | undefined> = store.get(BODIES + id)
        onResult(store.get(DRAFTS + id), (record: DraftRecord | undefined) => {
          if (record === undefined || body.result === undefined) return
          for (const key of record.texts) {
            onResult(store.get(TEXTS + key), (text: TextRecord | undefined) => {
              if (text === undefined) return
              if ('parts' in text) partsOf.set(key, text.parts)
              else texts.set(key, text)
            })
          }
          done({ record, body: body.result, texts })
        })
      })
      for (const [key, parts] of partsOf) {
        const text = await loadParts(key, parts)
        if (text !== undefined) texts.set(key, text)
      }
      if (loaded === undefined) return undefined
      // Chromium keeps the handlers of requests, and they keep this map: left full, it would hold all texts again.
      const found = new Map(texts)
      texts.clear()
      return { ...loaded, texts: found }
    },
    /** Rejects with the browser's error if there is no space; then nothing is written. */
    save: async ({ id, revision, epoch, build }: SaveRequest): Promise<SaveOutcome> => {
      const outcome = await transact<SaveOutcome>('readwrite', (store, done) => {
        const written: IDBRequest<string | undefined> = store.get(EPOCH)
        const keys = store.getAllKeys(below(TEXTS)) as IDBRequest<string[]>
        const records: IDBRequest<DraftRecord[]> = store.getAll(below(DRAFTS))
        onResult(records, () => {
          const before = records.result.find((record) => record.id === id)
          if (written.result !== undefined && written.result !== epoch) return done('forgotten')
          if (before !== undefined && before.revision !== revision) return done('overtaken')
          const stored = new Set(keys.result.map((key) => key.slice(TEXTS.length)))
          const added = new Map<string, TextToStore>()
          putDraft(store, build(stored, added), added, records.result, before)
          done('saved')
        })
      })
      return outcome ?? 'saved'
    },
    /** Saves a conversation as a draft; replaces the draft with the same `thread` key. */
    saveConversation: async (
      thread: string,
      build: (id: string) => DraftToSave & { readonly texts: ReadonlyMap<string, TextToStore> },
    ): Promise<SaveConversationOutcome> => {
      const outcome = await transact<SaveConversationOutcome>('readwrite', (store, done) => {
        onResult(store.getAll(below(DRAFTS)), (records: DraftRecord[]) => {
          const before = records.find((record) => record.thread === thread)
          const draft = build(before?.id ?? newKey())
          putDraft(store, draft, draft.texts, records, before)
          done(before === undefined ? 'new' : 'again')
        })
      })
      return outcome ?? 'new'
    },
    /** Deletes a draft and the texts that no other draft uses. */
    remove: async (id: string): Promise<void> => {
      await transact('readwrite', (store) => {
        const keys = store.getAllKeys(below(TEXTS)) as IDBRequest<string[]>
        onResult(store.getAll(below(DRAFTS)), (records: DraftRecord[]) => {
          store.delete(DRAFTS + id)
          store.delete(BODIES + id)
          const stored = keys.result.map((key) => key.slice(TEXTS.length))
          const others = records.filter((record) => record.id !== id)
          deleteUnused(store, stored, others)
        })
      })
    },
    forgetEverything: async () => {
      await transact('readwrite', (store) => {
        store.clear()
        store.put(newKey(), EPOCH)
      })
    },
  }
}

/** Puts a draft with its new texts, and deletes those that only its record `before` used. */
function putDraft(
  store: IDBObjectStore,
  { record, body }: DraftToSave,
  added: ReadonlyMap<string, TextToStore>,
  records: readonly DraftRecord[],
  before: DraftRecord | undefined,
): void {
  putTexts(store, added)
  store.put(record, DRAFTS + record.id)
  store.put(body, BODIES + record.id)
  const others = records.filter((other) => other !== before)
  deleteUnused(store, before?.texts ?? [], [record, ...others])
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

/** Puts the texts one after the other, and a long one part by part. */
function putTexts(store: IDBObjectStore, texts: ReadonlyMap<string, TextToStore>): void {
  const puts = [...texts].flatMap(([key, stored]): (() => IDBRequest)[] => {
    const { length } = stored.text
    if ('base' in stored || length <= CHARS_OF_PART)
      return [
        () =>
          store.put({ ...stored, text: stored.text.slice(0) } satisfies TextRecord, TEXTS + key),
      ]
    const parts = Math.ceil(length / CHARS_OF_PART)
    const putPart = (at: number) => {
      const start = at * CHARS_OF_PART
      return store.put(stored.text.slice(start, start + CHARS_OF_PART), partKey(key, at))
    }
    return [
      () => store.put({ parts } satisfies TextRecord, TEXTS + key),
      ...Array.from({ length: parts }, (_, at) => () => putPart(at)),
    ]
  })
  const putNext = (at: number) => {
    const put = puts[at]
    if (put !== undefined) onResult(put(), () => putNext(at + 1))
  }
  putNext(0)
}

function partKey(key: string, at: number): string {
  return `${PARTS}${key}/${at}`
}

function below(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

function onResult<Result>(request: IDBRequest<Result>, take: (result: Result) => void): void {
  request.onsuccess = () =>
    attempt(request.transaction as IDBTransaction, () => take(request.result))
}

/** Errors that aborted a transaction. */
const failures = new WeakMap<IDBTransaction, unknown>()

/** Aborts the transaction if `work` throws. */
function attempt(transaction: IDBTransaction, work: () => void): void {
  try {
    work()
  } catch (error) {
    failures.set(transaction, error)
    transaction.abort()
  }
}
