import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { turnOf } from '../testing/conversation-of'
import { fuzz, testSize } from '../testing/test-size'
import { zipOf } from '../testing/zip-of'
import { createUnpackBudget } from './byte-sink'
import { crc32, unzstd } from './decompress'
import { unpackParquet } from './parquet'
import { unpack } from './unpack'

const TEXT = JSON.stringify(turnOf('a', 'one\n"two"', 'bash')).repeat(9)
const BUDGET = 20_000_000
/** Of `budget` and what the process holds without it. */
const MOST_MEMORY = BUDGET * 10
const MOST_MILLISECONDS = 2_000

const messages = Array.from({ length: 40 }, (_, row) => `${row % 7}: ${TEXT}`)
const nested = messages.map((content, row) => [{ role: 'user', content: row % 3 ? content : null }])

type Column = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number]

const compressors = { ['GZIP' as const]: (bytes: Uint8Array) => gzipSync(bytes) }

const parquetOf = (column: Partial<Column>, codec: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP') =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'messages', data: messages, ...column }],
      rowGroupSize: 20,
      pageSize: 500,
      codec,
      compressors,
    }),
  )

/** Made of `TEXT`-like text by `zstd -19`. */
const BY_ZSTD = Uint8Array.from(
  Buffer.from(
    'KLUv/WRDALUBACJDCxGgbQyFHdPhsZY6qxoYJ6B6GJPMwdFkilsMmULWzOGnGxeram85xKuo7OpaBgEAdpBayoa2IHU=',
    'base64',
  ),
)

const UNPACKED = unzstd('x', BY_ZSTD, createUnpackBudget())
const RAW = {
  passThrough: true,
  compressionMethod: 93,
  uncompressedSize: UNPACKED.length,
  signature: crc32(UNPACKED),
}

const archives: Readonly<Record<string, Uint8Array>> = {
  plain: parquetOf({ type: 'STRING', encoding: 'PLAIN' }, 'UNCOMPRESSED'),
  dictionary: parquetOf({ type: 'STRING', encoding: 'RLE_DICTIONARY' }, 'UNCOMPRESSED'),
  lengths: parquetOf({ type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY' }, 'UNCOMPRESSED'),
  starts: parquetOf({ type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' }, 'UNCOMPRESSED'),
  snappy: parquetOf({ type: 'STRING' }, 'SNAPPY'),
  gzipped: parquetOf({ type: 'STRING' }, 'GZIP'),
  // With pages of the first version and an index, as pyarrow writes them.
  first: new Uint8Array(readFileSync(new URL('./cases/first-version.parquet', import.meta.url))),
  nested: parquetOf({ data: nested, type: 'JSON' }, 'UNCOMPRESSED'),
  zip: await zipOf(
    { name: 'a.json', bytes: Buffer.from(TEXT) },
    {
      name: 'b.json',
      bytes: BY_ZSTD,
      options: RAW,
    },
  ),
  gzip: new Uint8Array(gzipSync(TEXT)),
  zstd: BY_ZSTD,
}

const anyArchive = fc.constantFrom(...Object.keys(archives))
/** A place near the start or the end, where most archives have what describes them, or anywhere. */
const anyPlace = fc.oneof(fc.nat(80), fc.integer({ min: -200, max: -1 }), fc.nat())
const anyChange = fc.record({
  place: anyPlace,
  byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 127, 128, 255)),
})
const anyCut = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(300))

test(
  'a changed archive unpacks or has a sentence, within two seconds and its memory',
  async () => {
    for (const [name, bytes] of Object.entries(archives))
      expect(await problemsOf(name, bytes)).toEqual([])
    const before = process.resourceUsage().maxRSS
    const changes = fc.array(anyChange, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(anyArchive, changes, anyCut, async (name, changed, cut) => {
        const whole = archives[name] as Uint8Array
        const bytes = whole.slice(0, whole.length - (cut % whole.length))
        for (const { place, byte } of changed)
          bytes[((place % bytes.length) + bytes.length) % bytes.length] = byte
        const before = process.cpuUsage()
        await problemsOf(name, bytes)
        // Of the processor: a machine that others use too makes any wait longer.
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(MOST_MILLISECONDS)
      }),
      { ...fuzz(20_000), numRuns: testSize(400, 20_000) },
    )
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(MOST_MEMORY)
  },
  testSize(60_000, 600_000),
)

test('a column of a Parquet file whose path is damaged is a problem', async () => {
  const bytes = (archives.first as Uint8Array).slice()
  bytes[bytes.length - 143] = 128
  bytes[bytes.length - 90] = 177
  expect(await problemsOf('first', bytes)).toMatchObject([{ name: 'first' }])
})

async function problemsOf(name: string, bytes: Uint8Array) {
  const budget = createUnpackBudget(BUDGET)
  const files = await unpack(name, bytes, budget)
  const found = files.filter((file) => 'problem' in file)
  for (const file of files) {
    if (!('bytes' in file) || name === 'zip' || name === 'gzip' || name === 'zstd') continue
    for await (const row of unpackParquet(name, Uint8Array.from(file.bytes).buffer, 100))
      if ('problem' in row) found.push(row)
  }
  return found
}
