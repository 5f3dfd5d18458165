import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { describeProblem } from '../problem'
import { createUnpackBudget } from './byte-sink'
import { unpack } from './unpack'

const MESSAGES = [
  { role: 'user', content: 'Mend it: "ä"' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'one\n"two"' },
]

function parquetOf(column: string, rows: number, rowGroupSize = 2): Uint8Array {
  const data = Array.from({ length: rows }, (_, row) => row)
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: column, data: data.map(() => JSON.stringify(MESSAGES)), type: 'STRING' },
        { name: 'reward', data: data.map((row) => BigInt(row)), type: 'INT64' },
      ],
      rowGroupSize,
    }),
  )
}

async function shown(bytes: Uint8Array, budget = createUnpackBudget()) {
  const files = await unpack('x.parquet', bytes, budget)
  return files.map((file) =>
    'problem' in file ? describeProblem(file.problem) : new TextDecoder().decode(file.bytes),
  )
}

test('each row of each group is a file that is read as a conversation', async () => {
  const files = await unpack('x.parquet', parquetOf('messages', 11), createUnpackBudget())
  expect(files.map(({ name }) => name).slice(0, 2)).toEqual([
    'x.parquet/01.json',
    'x.parquet/02.json',
  ])
  expect(files).toHaveLength(11)
  // A buffer of Node is part of a larger one.
  const [last = ''] = (await shown(Buffer.from(parquetOf('messages', 11)))).slice(-1)
  expect(JSON.parse(last)).toEqual({ messages: JSON.stringify(MESSAGES), reward: 10 })
  const [conversation] = readDocument(last).conversations
  expect(conversation?.turnCount).toBe(1)
  expect(conversation?.resultTexts).toEqual([['one\n"two"']])
})

test('rows beyond the budget are not read, and their number is said', async () => {
  const read = await shown(parquetOf('trajectory', 7), createUnpackBudget(1e6, 3))
  expect(read).toHaveLength(4)
  expect(read[3]).toBe('x.parquet has 7 rows; only the first 3 are listed.')
})

test('a file that cannot be read has a sentence', async () => {
  const whole = parquetOf('messages', 2)
  expect(await shown(parquetOf('text', 2))).toEqual([
    'The Parquet file has the columns text, reward; expected one of messages, trajectory, conversations, conversation.',
  ])
  expect(await shown(whole.subarray(0, 200))).toEqual([
    'The Parquet archive ends after 200 bytes, before the description of its columns; expected the whole archive. It looks cut off.',
  ])
  const locked = whole.slice()
  locked.set(new TextEncoder().encode('PARE'), locked.length - 4)
  expect(await shown(locked)).toEqual(['The Parquet file is encrypted; expected one that is not.'])
  const broken = whole.slice()
  broken.fill(255, 4, 60)
  expect((await shown(broken))[0]).toMatch(/^The Parquet archive is broken: /)
})
