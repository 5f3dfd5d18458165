import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { STREAM_FILES } from '../../testing/transcripts'
import { readDocument } from '../read-document'
import { recogniseCopiedRequests } from './recognise-copied-requests'
import { CHAT, GEMINI } from './testing/captured-answers'

describe.each(STREAM_FILES)('$name', ({ path }) => {
  const capture = readFileSync(path, 'utf8')

  test('cut off anywhere in the answer, it says so with its place', () => {
    const start = capture.indexOf('data:')
    const last = capture.lastIndexOf('data:')
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = capture.slice(0, start + Math.floor((last - start) * share))
      const problems = recogniseCopiedRequests(cut)?.problems ?? []
      expect(problems.map(({ code }) => code)).toContain('stream_cut')
      for (const { offset } of problems) expect(offset).toBeGreaterThan(start)
    }
  })

  test('cut off in the request, it is JSON that ends too early, with its place', () => {
    const cut = capture.slice(0, capture.indexOf('data:') / 2)
    expect(() => readDocument(cut)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ code: 'truncated_json', offset: cut.length }),
      }),
    )
  })

  test('has no problems, alone and after an answer of another API', () => {
    const alone = recogniseCopiedRequests(capture)
    expect([alone?.count, alone?.hasRequests, alone?.problems]).toEqual([1, true, []])
    const other = capture.includes('chat.completion.chunk') ? GEMINI : CHAT
    const copied = recogniseCopiedRequests(`${other}${capture}`)
    expect([copied?.count, copied?.problems]).toEqual([2, []])
  })
})
