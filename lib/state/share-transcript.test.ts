import { describe, expect, test, vi } from 'vitest'
import { readSessionFile } from '@/lib/core/share/session-file'
import { spawnInline } from '@/lib/worker/testing/inline-worker'
import { createPlayground } from './playground'
import { decisionsOf } from './selectors'
import { takeSettings } from './settings-url'
import {
  fateOfLink,
  lookThrough,
  packTranscript,
  transcriptFile,
  transcriptFragment,
  travellingText,
} from './share-transcript'

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

function turn(id: string, content: string): object[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const TEXT = JSON.stringify([...turn('a', `token\n${TOKEN}\n`), ...turn('b', TOKEN)])

async function opened(text: string) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(text, 'run.json', { kind: 'file' })
  const isRead = () => expect(playground.store.getState().read?.source.text).toBe(text)
  await vi.waitFor(isRead, { timeout: 30_000 })
  return playground
}

describe('a transcript made ready to travel', () => {
  test('arrives redacted, with the same policy and the same decisions', async () => {
    const sender = await opened(TEXT)
    sender.actions.changePolicy({ windowTurns: 1 })
    const state = sender.store.getState()
    const looked = await lookThrough(state)
    if (looked === undefined) throw new Error('nothing was read')
    expect(looked.secrets.map(({ text, spans }) => [text, spans.length])).toEqual([[TOKEN, 2]])
    const text = travellingText(state, looked, looked.secrets) ?? ''
    const fragment = transcriptFragment(state, packTranscript(text) ?? '')
    const reader = await opened(
      '[{"role":"user","content":"hello"},{"role":"user","content":"again"}]',
    )
    const taken = takeSettings(reader, fragment)
    expect(taken.transcript).toBe(text)
    expect(text).not.toContain(TOKEN)
    reader.actions.openText(text, 'link.json', { kind: 'link' })
    const isRead = () => expect(reader.store.getState().read?.source.text).toBe(text)
    await vi.waitFor(isRead, { timeout: 30_000 })
    expect(decisionsOf(reader.store.getState())).toEqual(decisionsOf(state))
  })

  test('goes as it is when the sender wants it so, and as a file without the notes', async () => {
    const { store } = await opened(TEXT)
    const state = store.getState()
    const looked = await lookThrough(state)
    if (looked === undefined) throw new Error('nothing was read')
    expect(travellingText(state, looked, [])).toBe(TEXT)
    const file = readSessionFile(transcriptFile(state, TEXT).join(''))
    expect(file.session).toMatchObject({ text: TEXT, notes: '' })
  })

  test('of another text is not made from what was found in this one', async () => {
    const { store, actions } = await opened(TEXT)
    const looked = await lookThrough(store.getState())
    if (looked === undefined) throw new Error('nothing was read')
    const other = TEXT.replace('token', 'other')
    actions.openText(other, 'other.json', { kind: 'file' })
    const isRead = () => expect(store.getState().read?.source.text).toBe(other)
    await vi.waitFor(isRead, { timeout: 30_000 })
    expect(travellingText(store.getState(), looked, looked.secrets)).toBeUndefined()
  })

  test('is told by its length how it can be sent', () => {
    expect([2_000, 2_001, 32_000, 32_001].map(fateOfLink)).toEqual([
      'fits',
      'mail',
      'mail',
      'refused',
    ])
    expect(packTranscript('x'.repeat(4_000_001))).toBeUndefined()
  })
})
