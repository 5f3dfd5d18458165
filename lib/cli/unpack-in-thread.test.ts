import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, expect, test } from 'vitest'
import { describeProblem } from '../core/words/english'
import { unpackInThread } from './unpack-in-thread'

const folder = mkdtempSync(join(tmpdir(), 'unpack-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a decoder that does not end is ended with a sentence, and the next archive is read', async () => {
  // A number of this length takes hyparquet minutes.
  const source = join(folder, 'long.parquet')
  const columnData = [{ name: 'messages', data: ['9'.repeat(4e6)], type: 'STRING' as const }]
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }))
  // Texts become decimal numbers: the type is behind the name.
  const type = bytes.indexOf('messages%\0') + 'messages%'.length
  expect(bytes[type]).toBe(0)
  bytes[type] = 10
  writeFileSync(source, bytes)
  const read = async (packed: Parameters<typeof unpackInThread>[0], limit: number) => {
    const found: string[] = []
    for await (const file of unpackInThread(packed, limit))
      found.push('problem' in file ? describeProblem(file.problem) : String(file.bytes))
    return found
  }
  const gzip = { kind: 'gzip', name: 'a.gz', source: gzipSync('1'), mostRows: 1 }
  // The thread is there, so that the next wait is for the decoder alone.
  expect(await read(gzip, 60_000)).toEqual(['49'])
  expect(await read({ kind: 'Parquet', name: 'long.parquet', source, mostRows: 1 }, 3_000)).toEqual(
    [
      'The Parquet archive is broken: unpacking it gave nothing for 3 s; expected an undamaged file.',
    ],
  )
  expect(await read(gzip, 60_000)).toEqual(['49'])
}, 120_000)
