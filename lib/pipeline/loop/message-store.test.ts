import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { testSize } from '../../core/testing/test-size'
import {
  createJsonLinesStore,
  createMemoryStore,
  createSqliteStore,
  type MessageStore,
  openSqlite,
} from './message-store'
import { openStore, questionOf } from './testing/write-questions'

const folder = mkdtempSync(join(tmpdir(), 'message-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Node 20 has no SQLite of its own. */
const hasSqlite = await openSqlite(':memory:').then(
  () => true,
  () => false,
)
if (!hasSqlite) console.info('SQLite is not tested: this Node has none, nor is there a package.')

const said = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }))
const textsOf = async (store: MessageStore) => (await store.read()).map(({ content }) => content)

describe.each<[string, () => Promise<MessageStore>]>([
  ['memory', async () => createMemoryStore([], { session: 'one', messages: 4 })],
  [
    'a file of JSON Lines',
    async () => createJsonLinesStore(join(folder, 'one.jsonl'), { session: 'one', messages: 4 }),
  ],
  ['SQLite', async () => createSqliteStore(await openSqlite(':memory:'), 'one', { messages: 4 })],
])('a store in %s', (name, create) => {
  test.skipIf(name === 'SQLite' && !hasSqlite)(
    'updates a question, removes the oldest whole ones, and is cleared',
    async () => {
      const store = await create()
      expect([store.session, await store.read()]).toEqual(['one', []])
      await store.save('a', said('1'))
      await store.save('a', said('1', '2', '3'))
      await store.save('b', said('4'))
      expect(await textsOf(store)).toEqual(['1', '2', '3', '4'])
      await store.save('b', said('4', '5'))
      expect(await textsOf(store)).toEqual(['4', '5'])
      await Promise.all(['c', 'd'].map((exchange) => store.save(exchange, said(exchange))))
      expect(await textsOf(store)).toEqual(['4', '5', 'c', 'd'])
      // The newest stays, however long it is.
      await store.save('e', said('6', '7', '8', '9', '10'))
      expect(await textsOf(store)).toEqual(['6', '7', '8', '9', '10'])
      await store.save('f', questionOf(1).slice(0, 2))
      expect(await store.read()).toEqual(
        questionOf(1)
          .slice(0, 2)
          .map((one) => ({ ...one, exchange: 'f' })),
      )
      await store.clear()
      expect(await store.read()).toEqual([])
    },
  )
})

describe.each(['json-lines', 'sqlite'])('%s', (kind) => {
  test.skipIf(kind === 'sqlite' && !hasSqlite)(
    'a process that is killed while it writes leaves whole questions',
    async () => {
      for (let round = 0; round < testSize(3, 40); round++) {
        const path = join(folder, `${kind}-${round}`)
        const script = 'lib/pipeline/loop/testing/write-questions.ts'
        const child = spawn(process.execPath, ['scripts/run.mjs', script, kind, path])
        await once(child.stdout, 'data')
        await wait(Math.random() * 60)
        child.kill('SIGKILL')
        await once(child, 'exit')
        const stored = await (await openStore(kind, path)).read()
        const numbers = [...new Set(stored.map(({ exchange }) => Number(exchange)))]
        const last = numbers.at(-1) ?? 0
        expect(numbers).toEqual(numbers.map((_, at) => last - numbers.length + 1 + at))
        for (const number of numbers) {
          const own = stored.filter(({ exchange }) => Number(exchange) === number)
          expect(number === last ? [1, 5, 6] : [6]).toContain(own.length)
          expect(own).toMatchObject(questionOf(number).slice(0, own.length))
        }
        expect(stored.length).toBeLessThanOrEqual(60)
      }
    },
    300_000,
  )
})

test.skipIf(!hasSqlite)(
  'SQLite has the six fields, and an index of session, time and role',
  async () => {
    const database = await openSqlite(':memory:')
    createSqliteStore(database, 'one')
    createSqliteStore(database, 'two')
    const made = database.prepare("SELECT sql FROM sqlite_master WHERE name LIKE 'chat_messages%'")
    const [table, index] = made.all().map((row) => (row as { sql: string }).sql)
    expect(table).toContain('role, content, tool_calls, tool_call_id, name, timestamp')
    expect(index).toContain('(session_id, timestamp, role)')
  },
)

test.each([
  [
    'cut',
    '{"role":"user","content":"x"}\n\n{"role":"us',
    ', line 3: found text that is not JSON; expected',
  ],
  ['odd', '{"role":"user"}\r\n[1]\n', ', line 2: found JSON without a "role"; expected a message.'],
  ['latin', Buffer.from('{"role":"\xe9"}', 'latin1'), ': expected JSON Lines in UTF-8. '],
  ['folder', undefined, ': expected JSON Lines in UTF-8. EISDIR'],
])(
  'a file of JSON Lines that is %s is refused with its name, and stays as it is',
  async (name, content, said) => {
    const path = join(folder, name)
    if (content === undefined) mkdirSync(path)
    else writeFileSync(path, content)
    const store = createJsonLinesStore(path)
    for (const change of [() => store.read(), () => store.save('a', questionOf(1))])
      await expect(change()).rejects.toThrow(path + said)
    if (content !== undefined) expect(readFileSync(path)).toEqual(Buffer.from(content))
  },
)

test('a byte order mark before the first message is no part of it', async () => {
  const path = join(folder, 'bom')
  writeFileSync(path, '\ufeff{"role":"user","content":"x"}\r\n')
  expect(await textsOf(createJsonLinesStore(path))).toEqual(['x'])
})

test.skipIf(!hasSqlite)('a folder, and a file of another kind, are no database', async () => {
  const path = join(folder, 'text.sqlite')
  writeFileSync(path, 'no database '.repeat(100))
  for (const one of [folder, path])
    await expect(openSqlite(one)).rejects.toThrow(`${one}: expected a SQLite database. `)
})
