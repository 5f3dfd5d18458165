import { appendFileSync, mkdtempSync, openAsBlob, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { createMessageReceiver } from './answer-messages'
import { openInput, openText } from './testing/open-text'
import { createWorkerClient, type WorkerLike } from './worker-client'

const BODY = JSON.stringify({ messages: [{ role: 'user', content: 'wörds' }] })
const LINES = `${BODY}\n`.repeat(3)

const path = join(mkdtempSync(join(tmpdir(), 'open-file-')), 'lines.jsonl')
writeFileSync(path, LINES)
const file = await openAsBlob(path)
const encoding = loadEncoding('o200k_base')
/** Node cannot clone a file, as `spawnInline` does. */
const sent: unknown[] = []
const client = createWorkerClient(() => {
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {},
    postMessage: (message) => {
      sent.push(message)
      void receive(message)
    },
  }
  const receive = createMessageReceiver(encoding, (data) => worker.onmessage?.({ data }))
  return worker
}, 'o200k_base')

test('the worker gets a file without its text, and the text once the file has changed', async () => {
  const read = (document: number) =>
    openText(client.run, { ...openInput(document, LINES), file }).until('model')
  const opened = await read(1)
  expect(opened).toMatchObject({ layout: 'jsonl' })
  expect(sent).toMatchObject([{ input: { text: '' } }])
  appendFileSync(path, LINES)
  expect(await read(2)).toEqual(opened)
  expect(sent.slice(1)).toMatchObject([
    { input: { text: '' } },
    { input: { text: LINES, file: undefined } },
  ])
})

test('a newer document ends the reading of a file', async () => {
  const long = new Blob([LINES.repeat(20_000)])
  const first = openText(client.run, { ...openInput(3, ''), file: long })
  const second = openText(client.run, openInput(4, BODY))
  expect(await first.outcome).toMatchObject({ state: 'superseded' })
  expect(await second.until('model')).toBeDefined()
})
