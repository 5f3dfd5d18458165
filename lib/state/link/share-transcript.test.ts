import { describe, expect, test } from 'vitest'
import { readSessionFile, writeSessionFile } from '@/lib/core/share/session-file'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { changeNotes, sessionFileOf } from '../files/session-files'
import { decisionsOf } from '../policy/policy-view'
import { eventually, openedOnce, readOf } from '../testing/eventually'
import { applySettings, linkFit, unpackTranscript } from './settings-url'
import {
  packTranscript,
  redactedSession,
  redactText,
  remainingSecrets,
  scanForSecrets,
  sessionText,
  transcriptFile,
  transcriptFragment,
} from './share-transcript'

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const TEXT = JSON.stringify([...turnOf('a', `token\n${TOKEN}\n`), ...turnOf('b', TOKEN)])

const opened = (text: string) => openedOnce(readOf, text)

describe('a shared transcript', () => {
  test('arrives redacted, with the same policy and decisions', async () => {
    const sender = await opened(TEXT)
    sender.actions.changePolicy({ windowTurns: 1 })
    const state = sender.store.getState()
    const scan = await scanForSecrets(TEXT)
    expect(scan.secrets.map(({ text, spans }) => [text, spans.length])).toEqual([[TOKEN, 2]])
    const text = redactText(scan, new Set())
    const fragment = transcriptFragment(state, packTranscript(text) ?? '')
    const reader = await opened('[{"role":"user","content":"hello"}]')
    const taken = applySettings(reader, fragment)
    expect(await unpackTranscript(reader, taken.transcript)).toBe(text)
    expect(text).not.toContain(TOKEN)
    reader.actions.openText(text, 'link.json', { kind: 'link' })
    const isRead = () => expect(reader.store.getState().read?.source.text).toBe(text)
    await eventually(isRead)
    expect(decisionsOf(reader.store.getState())).toEqual(decisionsOf(state))
  })

  test('can be shared unredacted, and as a file without notes', async () => {
    const { store } = await opened(TEXT)
    const state = store.getState()
    const scan = await scanForSecrets(TEXT)
    expect(redactText(scan, new Set([TOKEN]))).toBe(TEXT)
    const file = readSessionFile(transcriptFile(state, TEXT).join(''))
    expect(file.session).toMatchObject({ text: TEXT, notes: '' })
  })

  test('is scanned again after redaction, except for what the user wants to share', async () => {
    const other = `ghp_${'z9Y8x7W6v5U4'.repeat(3)}`
    const text = JSON.stringify([{ content: `${TOKEN} ${other}` }])
    const scan = await scanForSecrets(text)
    const remainingOf = async (shared: string, unredacted: ReadonlySet<string>) =>
      remainingSecrets(await scanForSecrets(shared), unredacted).map((secret) => secret.text)
    expect(await remainingOf(redactText(scan, new Set()), new Set())).toEqual([])
    const unredacted = new Set([TOKEN])
    expect(await remainingOf(redactText(scan, unredacted), unredacted)).toEqual([])
    expect(await remainingOf(text, unredacted)).toEqual([other])
  })

  test('is saved in a session file with its notes, both scanned', async () => {
    const playground = await opened(TEXT)
    changeNotes(playground, `see "${TOKEN}"\nand so on`)
    const state = playground.store.getState()
    const scan = await scanForSecrets(sessionText(state))
    expect(scan.secrets.map(({ spans }) => spans.length)).toEqual([3])
    const whole = await redactedSession(state, new Set([TOKEN]))
    expect(whole).toEqual(writeSessionFile(sessionFileOf(state)))
    const redacted = (await redactedSession(state, new Set()))?.join('') ?? ''
    expect(redacted).not.toContain(TOKEN)
    const { session } = readSessionFile(redacted)
    expect(session.notes).toMatch(/^see "REDACTED-1\*+"\nand so on$/)
    expect(JSON.parse(session.text)).toHaveLength(4)
  })

  test('can be sent in ways that depend on its length', () => {
    const lengths = [2_000, 2_001, 8_000, 8_001, 32_000, 32_001]
    const fits = ['fits', 'mail', 'mail', 'long', 'long', 'refused']
    expect(lengths.map(linkFit)).toEqual(fits)
    expect(packTranscript('x'.repeat(4_000_001))).toBeUndefined()
  })
})
