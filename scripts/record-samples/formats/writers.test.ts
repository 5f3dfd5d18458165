import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../lib/core/formats/read-document'
import { maskDocument } from '../../../lib/core/mask/mask-document'
import { DEFAULT_POLICY } from '../../../lib/core/policy/policy'
import { textToRead } from '../../../lib/core/testing/transcripts'
import { formatIndexEntry, writeFormatIndex } from './format-index'
import { readRecordedSession } from './recorded-session'
import { openaiChatBody } from './write-openai-chat'
import { WRITERS } from './writers'

const POLICY = { ...DEFAULT_POLICY, enabled: true, windowTurns: 4, textParts: true }
const folder = fileURLToPath(new URL('../../../public/samples/', import.meta.url))

const readWritten = ({ format, file }: { readonly format: string; readonly file: string }) =>
  readFileSync(`${folder}formats/${format}/${file}`, 'utf8')

test('the index lists every writing, as its file is', () => {
  const entries = WRITERS.map((writer) => formatIndexEntry(writer, readWritten(writer)))
  expect(readFileSync(`${folder}formats/index.json`, 'utf8')).toBe(writeFormatIndex(entries))
  expect(new Set(entries.map(({ id }) => id)).size).toBe(WRITERS.length)
})

describe.each(WRITERS)('$format/$file', ({ format, file, write, writes, isLog = false }) => {
  test('is what its writer makes of the recording', async () => {
    const written = await write(await readRecordedSession())
    expect(readWritten({ format, file })).toBe(written)
  })

  test('has the turns, calls, results and reasons of the recording', async () => {
    const recording = factsOf(
      writes === undefined
        ? readFileSync(`${folder}text-parts.jsonl`, 'utf8')
        : await openaiChatBody.write(writes.adapt(await readRecordedSession())),
    )
    expect(factsOf(readWritten({ format, file }), isLog)).toEqual(recording)
  })
})

/** Facts that no format may change. Ids are not among them: some formats have none. */
function factsOf(written: string, isLog = false) {
  const text = textToRead(written)
  const document = readDocument(text)
  const { decisions } = maskDocument({ text, ...document }, { ...POLICY, keepErrors: false })
  const at = isLog ? document.conversations.length - 1 : 0
  const conversation = document.conversations[at]
  if (conversation === undefined) throw new Error('no conversation')
  return {
    conversations: document.conversations.length - at,
    problems: document.problems,
    turns: conversation.turnCount,
    calls: conversation.calls.map(({ name, turn }) => [name, turn]),
    results: conversation.results.map(({ toolName, turn }) => [toolName, turn]),
    reasons: decisions[at]?.map(({ reason }) => reason),
  }
}
