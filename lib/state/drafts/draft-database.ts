/**
 * Drafts in the browser's own database (IndexedDB), one store with keys `draft/…`, `body/…` and `text/…`.
 * Every change is one transaction: a draft is kept whole with its texts, or not at all.
 */
import { createStore, type UseStore } from 'idb-keyval'
import type { DraftBody, DraftRecord, KeptText, LoadedDraft } from './draft-records'
import { newKey } from './new-key'

const DATABASE = 'masking-playground'
const STORE = 'drafts'
/** New whenever everything is forgotten: what another tab then still wants to write is too late. */
const EPOCH = 'epoch'

const DRAFTS = 'draft/'
const BODIES = 'body/'
const TEXTS = 'text/'

export interface DraftToKeep {
  readonly record: DraftRecord
  readonly body: DraftBody
}

/** `overtaken`: another tab wrote this draft meanwhile. `forgotten`: everything was forgotten meanwhile. */
export type KeepOutcome = 'kept' | 'overtaken' | 'forgotten'

/** `again`: the thread was kept before, and is kept anew in its place. */
export type ThreadOutcome = 'new' | 'again'

export interface KeepRequest {
  readonly id: string
  /** The revision this tab knows; undefined for a draft that is new. */
  readonly revision: string | undefined
  readonly epoch: string | undefined
  /** Gives the draft; adds its texts that are not among the keys kept. */
  readonly build: (kept: ReadonlySet<string>, added: Map<string, KeptText>) => DraftToKeep
}

export interface DraftDatabase {
  readonly epoch: () => Promise<string | undefined>
  readonly list: () => Promise<readonly DraftRecord[]>
  /** Undefined when there is no such draft. */
  readonly load: (id: string) => Promise<LoadedDraft | undefined>
  /** All or nothing; rejects with the browser's error when there is no room. */
  readonly keep: (request: KeepRequest) => Promise<KeepOutcome>
  /** Keeps a draft under the id of the one that is this thread, or under a new one; all or nothing. */
  readonly keepThread: (
    thread: string,
    build: (id: string) => DraftToKeep & { readonly texts: ReadonlyMap<string, KeptText> },
  ) => Promise<ThreadOutcome>
  /** Removes a draft and the texts that no other draft needs. */
  readonly remove: (id: string) => Promise<void>
  readonly forgetEverything: () => Promise<void>
}

export function openDraftDatabase(): DraftDatabase {
  let opened: UseStore | undefined
  /** Runs one transaction; resolves with the result `work` set, once all of it is written. */
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

  return {
    epoch: () =>
      transact<string>('readonly', (store, done) => {
        onResult(store.get(EPOCH), done)
      }),
    list: async () =>
      (await transact<DraftRecord[]>('readonly', (store, done) => {
        onResult(store.getAll(below(DRAFTS)), done)
      })) ?? [],
    load: (id) =>
      transact<LoadedDraft>('readonly', (store, done) => {
        const body: IDBRequest<DraftBody | undefined> = store.get(BODIES + id)
        onResult(store.get(DRAFTS + id), (record: DraftRecord | undefined) => {
          if (record === undefined || body.result === undefined) return
          const texts = new Map<string, KeptText>()
          for (const key of record.texts) {
            onResult(store.get(TEXTS + key), (text: KeptText | undefined) => {
              if (text !== undefined) texts.set(key, text)
            })
          }
          done({ record, body: body.result, texts })
        })
      }),
    keep: async ({ id, revision, epoch, build }) => {
      const outcome = await transact<KeepOutcome>('readwrite', (store, done) => {
        const written: IDBRequest<string | undefined> = store.get(EPOCH)
        const keys = store.getAllKeys(below(TEXTS)) as IDBRequest<string[]>
        const records: IDBRequest<DraftRecord[]> = store.getAll(below(DRAFTS))
        onResult(records, () => {
          const before = records.result.find((record) => record.id === id)
          if (written.result !== undefined && written.result !== epoch) return done('forgotten')
          if (before !== undefined && before.revision !== revision) return done('overtaken')
          const kept = new Set(keys.result.map((key) => key.slice(TEXTS.length)))
          const added = new Map<string, KeptText>()
          const { record, body } = build(kept, added)
          for (const [key, text] of added) store.put(text, TEXTS + key)
          store.put(record, DRAFTS + id)
          store.put(body, BODIES + id)
          const others = records.result.filter((other) => other !== before)
          const needed = new Set([record, ...others].flatMap(({ texts }) => texts))
          for (const key of before?.texts ?? []) {
            if (!needed.has(key)) store.delete(TEXTS + key)
          }
          done('kept')
        })
      })
      return outcome ?? 'kept'
    },
    keepThread: async (thread, build) => {
      const outcome = await transact<ThreadOutcome>('readwrite', (store, done) => {
        onResult(store.getAll(below(DRAFTS)), (records: DraftRecord[]) => {
          const before = records.find((record) => record.thread === thread)
          const { record, body, texts } = build(before?.id ?? newKey())
          for (const [key, text] of texts) store.put(text, TEXTS + key)
          store.put(record, DRAFTS + record.id)
          store.put(body, BODIES + record.id)
          const others = records.filter((other) => other !== before)
          const needed = new Set([record, ...others].flatMap((other) => other.texts))
          for (const key of before?.texts ?? []) {
            if (!needed.has(key)) store.delete(TEXTS + key)
          }
          done(before === undefined ? 'new' : 'again')
        })
      })
      return outcome ?? 'new'
    },
    remove: async (id) => {
      await transact('readwrite', (store) => {
        const keys = store.getAllKeys(below(TEXTS)) as IDBRequest<string[]>
        onResult(store.getAll(below(DRAFTS)), (records: DraftRecord[]) => {
          const others = records.filter((record) => record.id !== id)
          const needed = new Set(others.flatMap(({ texts }) => texts))
          store.delete(DRAFTS + id)
          store.delete(BODIES + id)
          for (const key of keys.result) {
            if (!needed.has(key.slice(TEXTS.length))) store.delete(key)
          }
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

function below(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

function onResult<Result>(request: IDBRequest<Result>, take: (result: Result) => void): void {
  request.onsuccess = () =>
    attempt(request.transaction as IDBTransaction, () => take(request.result))
}

/** Errors of our own or of the browser that ended a transaction before it was written. */
const failures = new WeakMap<IDBTransaction, unknown>()

/** What throws takes the whole transaction back. */
function attempt(transaction: IDBTransaction, work: () => void): void {
  try {
    work()
  } catch (error) {
    failures.set(transaction, error)
    transaction.abort()
  }
}
