import { gzipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { turnOf } from '../testing/conversation-of'
import { describeProblem } from '../words/english'
import { openParquet, unpackParquet } from './parquet'

const MESSAGES = [{ role: 'user', content: 'Mend it: "ä"' }, ...turnOf('a', 'one\n"two"', 'bash')]

function parquetOf(column: string, rows: number, rowGroupSize = 2): Uint8Array {
  const data = Array.from({ length: rows }, (_, row) => row)
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: column, data: data.map(() => JSON.stringify(MESSAGES)), type: 'STRING' },
        { name: 'model', data: data.map((row) => `m${row}`), type: 'STRING' },
        { name: 'reward', data: data.map((row) => BigInt(row)), type: 'INT64' },
      ],
      rowGroupSize,
    }),
  )
}

/** The bytes of a file, and how many were read. */
function counted(bytes: Uint8Array) {
  const file = {
    read: 0,
    byteLength: bytes.length,
    slice(start: number, end = bytes.length) {
      const part = bytes.slice(start, end)
      file.read += part.length
      return part.buffer
    },
  }
  return file
}

async function shown(bytes: Uint8Array, limit = 100) {
  const files: string[] = []
  for await (const file of unpackParquet('x.parquet', counted(bytes), limit))
    files.push(
      'problem' in file ? describeProblem(file.problem) : new TextDecoder().decode(file.bytes),
    )
  return files
}

test('each row of each group is a file that is read as a conversation', async () => {
  const bytes = parquetOf('messages', 11)
  const { count, nameOf } = await openParquet('x.parquet', counted(bytes))
  expect([count, nameOf(0), nameOf(10)]).toEqual([11, 'x.parquet/01.json', 'x.parquet/11.json'])
  const rows = await shown(bytes)
  expect(rows).toHaveLength(11)
  const [last = ''] = rows.slice(-1)
  expect(JSON.parse(last)).toEqual({ messages: JSON.stringify(MESSAGES), model: 'm10' })
  const [conversation] = readDocument(last).conversations
  expect(conversation?.model).toBe('m10')
  expect(conversation?.turnCount).toBe(1)
  expect(conversation?.resultTexts).toEqual([['one\n"two"']])
})

test('rows past the limit are not read, and their number is said', async () => {
  const read = await shown(parquetOf('trajectory', 7), 3)
  expect(read).toHaveLength(4)
  expect(read[3]).toBe('x.parquet has 7 rows; only the first 3 are listed.')
})

test('pages compressed with gzip are read; with Zstandard, damaged ones have a sentence', async () => {
  const data = [JSON.stringify(MESSAGES)]
  const packed = (codec: 'GZIP' | 'ZSTD') =>
    parquetWriteBuffer({
      columnData: [{ name: 'messages', data, type: 'STRING' }],
      codec,
      compressors: { [codec]: (bytes: Uint8Array) => gzipSync(bytes) },
    })
  const [row = ''] = await shown(new Uint8Array(packed('GZIP')))
  expect(JSON.parse(row)).toEqual({ messages: data[0] })
  const [problem] = await shown(new Uint8Array(packed('ZSTD')))
  expect(problem).toMatch(/^The Parquet archive is broken: /)

  const file = counted(new Uint8Array(packed('GZIP')))
  const { read } = await openParquet('x.parquet', file, { unpacked: 10 })
  await expect(read(0)).rejects.toMatchObject({ problem: { code: 'archive_large' } })
})

test('a column whose rows all have a value is read', async () => {
  const data = [JSON.stringify(MESSAGES)]
  const column = { name: 'messages', data, type: 'STRING', nullable: false } as const
  const [row = ''] = await shown(new Uint8Array(parquetWriteBuffer({ columnData: [column] })))
  expect(JSON.parse(row)).toEqual({ messages: data[0] })
})

test('a description of more bytes than are read first is read again, whole', async () => {
  const data = [JSON.stringify(MESSAGES)]
  const columnData = ['messages', 'x'.repeat(70_000)].map((name) => ({ name, data }))
  const [row = ''] = await shown(new Uint8Array(parquetWriteBuffer({ columnData })))
  expect(JSON.parse(row)).toEqual({ messages: data[0] })
})

test('a row that a dictionary makes longer than its page is refused past the limit', async () => {
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'messages', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  ] as const
  const data = [Array(500).fill('long '.repeat(100))]
  const columnData = [{ name: 'messages', data }]
  const bytes = new Uint8Array(parquetWriteBuffer({ schema: [...schema], columnData }))
  const readWith = async (unpacked: number) => {
    const { read } = await openParquet('x.parquet', counted(bytes), { unpacked })
    return JSON.parse(new TextDecoder().decode(await read(0)))
  }
  expect(await readWith(260_000)).toEqual({ messages: data[0] })
  await expect(readWith(200_000)).rejects.toMatchObject({ problem: { code: 'archive_large' } })
})

describe('a large file', () => {
  const ROWS = 400
  /** Every row differs, so that none is in a dictionary. `other` is as large as the messages. */
  const large = (rowGroupSize: number) => {
    const texts = Array.from({ length: ROWS }, (_, row) => {
      return JSON.stringify([{ role: 'user', content: `${row}: ${'of a long text '.repeat(400)}` }])
    })
    const column = (name: string) =>
      ({ name, data: texts, type: 'STRING', offsetIndex: true }) as const
    const columnData = [column('messages'), column('other')]
    return new Uint8Array(
      parquetWriteBuffer({ columnData, rowGroupSize, codec: 'UNCOMPRESSED', pageSize: 100_000 }),
    )
  }
  const startOf = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)).messages

  test('opens by its end, and a row is read with its group and no other column', async () => {
    const file = counted(large(5))
    const { read, count } = await openParquet('x.parquet', file)
    expect(count).toBe(ROWS)
    const footer = file.read
    expect(footer).toBeLessThan(66_000)
    expect(startOf(await read(203))).toContain('"203: ')
    const group = file.read - footer
    expect(group).toBeLessThan(file.byteLength / 100)
    expect(startOf(await read(201))).toContain('"201: ')
    expect(file.read).toBe(footer + group)
  })

  test('of one large group, only the pages of some rows are read', async () => {
    const file = counted(large(1_000))
    const { read } = await openParquet('x.parquet', file, { part: 200_000 })
    expect(startOf(await read(399))).toContain('"399: ')
    expect(file.read).toBeLessThan(file.byteLength / 5)
    expect(startOf(await read(0))).toContain('"0: ')
    expect(startOf(await read(17))).toContain('"17: ')
  })
})

describe('a file that cannot be read has a sentence', () => {
  const whole = parquetOf('messages', 2)
  const empty = parquetWriteBuffer({ columnData: [{ name: 'messages', data: [], type: 'STRING' }] })
  const locked = whole.slice()
  locked.set(new TextEncoder().encode('PARE'), locked.length - 4)
  const cut = (bytes: number) =>
    `The Parquet archive ends after ${bytes} bytes, before the description of its columns; expected the whole archive. It looks cut off.`

  test.each([
    [
      'without such a column',
      parquetOf('text', 2),
      'The Parquet file has the columns text, model, reward; expected one of messages, trajectory, conversations, conversation.',
    ],
    [
      'empty',
      new Uint8Array(empty),
      'The Parquet file has no rows; expected a transcript in each row.',
    ],
    ['cut off', whole.subarray(0, 200), cut(200)],
    ['cut off at its start', whole.subarray(0, 4), cut(4)],
    ['encrypted', locked, 'The Parquet file is encrypted; expected one that is not.'],
    ['broken', whole.slice().fill(255, 4, 60), /^The Parquet archive is broken: /],
    [
      'not described',
      whole.slice().fill(255, whole.length - 60, whole.length - 8),
      /^The Parquet archive is broken: /,
    ],
  ])('%s', async (_, bytes, sentence) => {
    const [found] = await shown(bytes)
    expect(found).toMatch(sentence)
  })
})
