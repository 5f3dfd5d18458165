import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, expect, test, vi } from 'vitest'
import { describeProblem } from '../core/words/english'
import { unpackInThread } from './unpack-in-thread'

const folder = mkdtempSync(join(tmpdir(), 'unpack-'))
afterAll(() => rmSync(folder, { recursive: true }))

const gzip = { kind: 'gzip', name: 'a.gz', source: gzipSync('1'), mostRows: 1 }

async function read(packed: Parameters<typeof unpackInThread>[0], limit: number) {
  const found: string[] = []
  for await (const file of unpackInThread(packed, limit))
    found.push('problem' in file ? describeProblem(file.problem) : String(file.bytes))
  return found
}

/** A number of this length takes hyparquet minutes. */
function writeEndless(source: string) {
  const columnData = [{ name: 'messages', data: ['9'.repeat(4e6)], type: 'STRING' as const }]
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }))
  // Texts become decimal numbers: the type is behind the name.
  const type = bytes.indexOf('messages%\0') + 'messages%'.length
  expect(bytes[type]).toBe(0)
  bytes[type] = 10
  writeFileSync(source, bytes)
  return { kind: 'Parquet', name: 'long.parquet', source, mostRows: 1 }
}

test('a thread that ends while it decodes leaves no timer behind', async () => {
  // Tests of other files may have started it.
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  expect(await read(gzip, 60_000)).toEqual(['49'])
  const thread = posted.mock.contexts.at(-1) as Worker
  posted.mockRestore()
  const waited = vi.spyOn(globalThis, 'setTimeout')
  const reading = read(writeEndless(join(folder, 'ended.parquet')), 61_000)
  const timer = waited.mock.results[waited.mock.calls.findIndex(([, time]) => time === 61_000)]
  waited.mockRestore()
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  await thread.terminate()
  expect(await reading).toEqual([
    'The Parquet archive is broken: it ended without an error, as when memory runs out; expected an undamaged file.',
  ])
  expect(cleared).toHaveBeenCalledWith(timer?.value)
  cleared.mockRestore()
}, 120_000)

test('a decoder that does not end is ended with a sentence, and the next archive is read', async () => {
  // The thread is there, so that the next wait is for the decoder alone.
  expect(await read(gzip, 60_000)).toEqual(['49'])
  expect(await read(writeEndless(join(folder, 'long.parquet')), 1_000)).toEqual([
    'The Parquet archive is broken: unpacking it gave nothing for 1 s; expected an undamaged file.',
  ])
  expect(await read(gzip, 60_000)).toEqual(['49'])
}, 120_000)
