/** Where the messages of a conversation are kept, unmasked: in memory, in a file of JSON Lines, or in SQLite. */
import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import type { SavedMessage } from '../../core/loop/request'
import { messageOf } from '../../core/problem'
import { createJobQueue } from '../../core/steps'
import { isJsonObject, parseJson } from '../../core/text/json'

/** A message with the question it belongs to. */
export interface StoredMessage extends SavedMessage {
  readonly exchange?: string
}

/** The messages of one conversation, in the order in which they were made. */
export interface MessageStore {
  /** Id of the conversation. */
  readonly session: string
  readonly read: () => Promise<readonly StoredMessage[]>
  /**
   * Stores the messages of a question, all or none of them, in place of those it had. The oldest questions leave with their
   * messages where there are too many; the newest one stays.
   */
  readonly save: (exchange: string, messages: readonly SavedMessage[]) => Promise<void>
  /** Removes all messages of the conversation. */
  readonly clear: () => Promise<void>
}

export interface StoreOptions {
  readonly session?: string
  /** Most messages of the conversation that are kept. */
  readonly messages?: number
}

const MOST_MESSAGES = 1000

interface Storage extends Pick<MessageStore, 'session' | 'read'> {
  readonly write: (messages: readonly StoredMessage[]) => Promise<void>
}

/** A store that writes all messages anew. Its changes wait for each other. */
function storeOf(
  { session, read, write }: Storage,
  { messages: most = MOST_MESSAGES }: StoreOptions,
): MessageStore {
  const enqueue = createJobQueue()
  return {
    session,
    read,
    save: (exchange, messages) =>
      enqueue(async () => {
        const others = (await read()).filter((one) => one.exchange !== exchange)
        const own = messages.map((message) => ({ ...message, exchange }))
        const first = firstKept(others, most - own.length)
        await write([...others.slice(first), ...own])
      }),
    clear: () => enqueue(() => write([])),
  }
}

/** Index of the oldest message that stays: no exchange is cut. */
function firstKept(messages: readonly StoredMessage[], room: number): number {
  const first = Math.max(0, messages.length - Math.max(0, room))
  const cut = messages[first - 1]?.exchange
  if (cut === undefined) return first
  const rest = messages.slice(first).findIndex(({ exchange }) => exchange !== cut)
  return rest === -1 ? messages.length : first + rest
}

export function createMemoryStore(
  messages: readonly StoredMessage[] = [],
  options: StoreOptions = {},
): MessageStore {
  let all = messages
  const write = async (next: readonly StoredMessage[]) => {
    all = next
  }
  const { session = randomUUID() } = options
  return storeOf({ session, read: async () => all, write }, options)
}

/**
 * A file with one message a line, which the playground opens. It is written beside itself and then renamed, so that a
 * process that is killed leaves the file as it was or as it was to be.
 */
export function createJsonLinesStore(path: string, options: StoreOptions = {}): MessageStore {
  const write = async (messages: readonly StoredMessage[]) => {
    const file = await open(`${path}.new`, 'w')
    try {
      await file.writeFile(messages.map((one) => `${JSON.stringify(one)}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${path}.new`, path)
  }
  const read = async () => {
    const lines = (await fileText(path)).split('\n')
    return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readLine(line, path, at + 1)]))
  }
  return storeOf({ session: options.session ?? path, read, write }, options)
}

/** Refuses other bytes: writing them again would change them. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

async function fileText(path: string): Promise<string> {
  try {
    return UTF_8.decode(await readFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new Error(`${path}: expected JSON Lines in UTF-8. ${messageOf(error)}`)
  }
}

function readLine(line: string, path: string, number: number): StoredMessage {
  const found = parseJson(line)
  if (isJsonObject(found) && typeof found.role === 'string') {
    return found as unknown as StoredMessage
  }
  const said = found === undefined ? 'text that is not JSON' : 'JSON without a "role"'
  throw new Error(`${path}, line ${number}: found ${said}; expected a message.`)
}

/** What `node:sqlite` and `better-sqlite3` have in common. */
export interface SqliteDatabase {
  readonly exec: (sql: string) => unknown
  readonly prepare: (sql: string) => {
    readonly run: (...values: (string | null)[]) => unknown
    readonly all: (...values: (string | null)[]) => unknown[]
  }
}

/** Opens a file with `node:sqlite` where this Node has it, else with `better-sqlite3` where that is installed. */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  for (const [name, kind] of [
    ['node:sqlite', 'DatabaseSync'],
    ['better-sqlite3', 'default'],
  ] as const) {
    const found = await import(name).catch(() => undefined)
    if (found === undefined) continue
    try {
      const database: SqliteDatabase = new found[kind](path)
      // Reads the head of the file.
      database.exec('PRAGMA busy_timeout = 5000; SELECT count(*) FROM sqlite_master')
      return database
    } catch (error) {
      throw new Error(`${path}: expected a SQLite database. ${messageOf(error)}`)
    }
  }
  throw new Error(
    `Node ${process.version} has no node:sqlite, and better-sqlite3 is not installed; npm install better-sqlite3 adds it.`,
  )
}

const COLUMNS = ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'timestamp'] as const

/** A table of any number of conversations, each with its session id. A change is one transaction. */
export function createSqliteStore(
  database: SqliteDatabase,
  session: string,
  { messages: most = MOST_MESSAGES }: Pick<StoreOptions, 'messages'> = {},
): MessageStore {
  const columns = COLUMNS.join(', ')
  const mine = 'FROM chat_messages WHERE session_id = ?'
  database.exec(
    `PRAGMA busy_timeout = 5000; CREATE TABLE IF NOT EXISTS chat_messages (session_id TEXT NOT NULL, exchange TEXT NOT NULL, ${columns});
    CREATE INDEX IF NOT EXISTS chat_messages_of ON chat_messages (session_id, timestamp, role)`,
  )
  const insert = database.prepare('INSERT INTO chat_messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const select = database.prepare(`SELECT exchange, ${columns} ${mine} ORDER BY rowid`)
  const newestFirst = database.prepare(
    `SELECT exchange, count(*) AS messages ${mine} GROUP BY exchange ORDER BY max(rowid) DESC`,
  )
  const remove = database.prepare(`DELETE ${mine} AND exchange = ?`)
  const inTransaction = async (change: () => void) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      change()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
  return {
    session,
    read: async () =>
      select.all(session).map((row) => {
        const given = Object.entries(row as Row).filter(([, value]) => value !== null)
        const read = ([key, value]: [string, unknown]) =>
          key === 'content' || key === 'tool_calls' ? JSON.parse(String(value)) : value
        return Object.fromEntries(
          given.map((cell) => [cell[0], read(cell)]),
        ) as unknown as StoredMessage
      }),
    save: (exchange, messages) =>
      inTransaction(() => {
        remove.run(session, exchange)
        for (const message of messages) {
          const { content, tool_calls: calls, ...others }: SavedMessage = message
          const made = calls === undefined ? undefined : JSON.stringify(calls)
          const row = { ...others, content: JSON.stringify(content), tool_calls: made }
          insert.run(session, exchange, ...COLUMNS.map((key) => row[key] ?? null))
        }
        let room = most
        for (const [at, row] of newestFirst.all(session).entries()) {
          room -= Number((row as Row).messages)
          if (at > 0 && room < 0) remove.run(session, String((row as Row).exchange))
        }
      }),
    clear: () => inTransaction(() => database.prepare(`DELETE ${mine}`).run(session)),
  }
}

type Row = Readonly<Record<string, unknown>>
