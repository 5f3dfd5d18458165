/** The file of a session, whoever writes it and whatever becomes of it meanwhile. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAllAsync } from '../../core/testing/test-size'
import { createRecorder } from './record-request'

const KEY = `sk-proj-${'a1B2c3D4'.repeat(6)}`
const TEXTS = ['a text', 'lines\u2028of another kind\u2029', `with ${KEY} in it`, 'a\r\nb']

/** What happens before a request. */
const EVENTS = ['nothing', 'restart', 'another process', 'deletion'] as const

test('gives every request as it was sent, and whole only the first one', async () => {
  const step = fc.record({ event: fc.constantFrom(...EVENTS), text: fc.constantFrom(...TEXTS) })
  await forAllAsync(200, [fc.array(step, { minLength: 2, maxLength: 8 })], async (steps) => {
    const folder = mkdtempSync(join(tmpdir(), 'record-'))
    const recorders = [createRecorder(folder), createRecorder(folder)]
    const messages = [{ role: 'user', content: 'Go' }]
    const sent: string[][] = []
    for (const { event, text } of steps) {
      if (event === 'restart') recorders[0] = createRecorder(folder)
      if (event === 'another process') recorders.reverse()
      if (event === 'deletion') {
        for (const file of readdirSync(folder)) rmSync(join(folder, file))
        sent.length = 0
      }
      messages.push({ role: 'user', content: text })
      sent.push(messages.map(({ content }) => content.replace(KEY, 'a key')))
      const recorded = await recorders[0]?.({
        request: Buffer.from(JSON.stringify({ model: 'm', messages })),
        response: undefined,
        summary: { path: '/v1', status: 200, masking: 'masked', maskedResults: 0 },
        headers: {},
        at: 'now',
      })
      expect(recorded?.requests).toBe(sent.length)
    }
    const [name = ''] = readdirSync(folder)
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
    let before: string[] = []
    const read = lines.map((line, at) => {
      const { continues = false, request } = JSON.parse(line)
      expect(continues).toBe(at > 0)
      const own = request.messages.map(({ content }: { content: string }) =>
        content.replace(/REDACTED-1\**/, 'a key'),
      )
      before = [...before, ...own]
      return before
    })
    expect(read).toEqual(sent)
    rmSync(folder, { recursive: true })
  })
})

test('a body that is not JSON is no conversation, and no error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  const recorded = await createRecorder(folder)({
    request: Buffer.from('{"messages":['),
    response: undefined,
    summary: { path: '/v1', status: 200, masking: 'unchanged', maskedResults: 0 },
    headers: {},
    at: 'now',
  })
  expect([recorded, readdirSync(folder)]).toEqual([undefined, []])
  rmSync(folder, { recursive: true })
})
