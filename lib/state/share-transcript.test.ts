import { describe, expect, test, vi } from 'vitest'
import { readSessionFile, writeSessionFile } from '@/lib/core/share/session-file'
import { spawnInline } from '@/lib/worker/testing/inline-worker'
import { createPlayground } from './playground'
import { decisionsOf } from './selectors'
import { changeNotes, sessionOf } from './session'
import { takeSettings } from './settings-url'
import {
  fateOfLink,
  lookThrough,
  packTranscript,
  redactedSession,
  sessionText,
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
    const looked = await lookThrough(TEXT)
    expect(looked.secrets.map(({ text, spans }) => [text, spans.length])).toEqual([[TOKEN, 2]])
    const text = travellingText(looked, new Set())
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
    const looked = await lookThrough(TEXT)
    expect(travellingText(looked, new Set([TOKEN]))).toBe(TEXT)
    const file = readSessionFile(transcriptFile(state, TEXT).join(''))
    expect(file.session).toMatchObject({ text: TEXT, notes: '' })
  })

  test('keeps the secrets it was told to keep, and redacts the others', async () => {
    const text = JSON.stringify([{ content: `${TOKEN} ada@example.org` }])
    const looked = await lookThrough(text)
    const travelling = travellingText(looked, new Set(['ada@example.org']))
    expect(travelling).toContain('ada@example.org')
    expect(travelling).not.toContain(TOKEN)
  })

  test('goes into a session file with its notes, both looked through alike', async () => {
    const playground = await opened(TEXT)
    changeNotes(playground, `see "${TOKEN}"\nand so on`)
    const state = playground.store.getState()
    const looked = await lookThrough(sessionText(state))
    expect(looked.secrets.map(({ spans }) => spans.length)).toEqual([3])
    const whole = await redactedSession(state, new Set([TOKEN]))
    expect(whole).toEqual(writeSessionFile(sessionOf(state)))
    const redacted = (await redactedSession(state, new Set())).join('')
    expect(redacted).not.toContain(TOKEN)
    const { session } = readSessionFile(redacted)
    expect(session.notes).toMatch(/^see "REDACTED-1\*+"\nand so on$/)
    expect(JSON.parse(session.text)).toHaveLength(4)
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
