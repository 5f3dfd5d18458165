import { expect, test } from 'vitest'
import { readDocument } from '../read-document'

const call = (id?: string) => ({
  ...{ role: 'model', parts: [{ functionCall: { id, name: 'read', args: {} } }] },
})
const answer = (id?: string) => ({
  ...{ role: 'user', parts: [{ functionResponse: { id, name: 'read', response: {} } }] },
})
const idsIn = (...contents: unknown[]) =>
  readDocument(JSON.stringify(contents)).conversations[0]?.results.map(({ callId }) => callId)

test('later messages change no id that the reader gives', () => {
  const contents = [call('a'), answer('a'), call(), answer()]
  const before = idsIn(...contents)
  expect(before).toHaveLength(2)
  expect(idsIn(...contents, call(), answer(), call('read-1'))?.slice(0, 2)).toEqual(before)
})
