import { describe, expect, test, vi } from 'vitest'
import { readSessionFile, writeSessionFile } from '@/lib/core/share/session-file'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { changeNotes, sessionFileOf } from '../files/session-files'
import { createPlayground, type Playground } from '../playground'
import { openedOnce, readOf } from '../testing/eventually'
import { linkFit } from './settings-url'
import {
  packTranscript,
  redactedSession,
  redactText,
  remainingSecrets,
  scanForSecrets,
  sessionText,
  transcriptFile,
} from './share-transcript'
import { type Address, syncAddress } from './sync-address'

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const TEXT = JSON.stringify([...turnOf('a', `token\n${TOKEN}\n`), ...turnOf('b', TOKEN)])

const opened = (text: string) => openedOnce(readOf, text)

describe('a shared transcript', () => {
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

describe('the address', () => {
  /** The browser's history entries. */
  function entries(): Address & { readonly list: string[] } {
    const list = ['']
    return {
      list,
      fragment: () => list.at(-1) as string,
      replace: (fragment) => list.splice(-1, 1, fragment),
      push: (fragment) => list.push(fragment),
    }
  }

  interface Followed {
    readonly address: ReturnType<typeof entries>
    readonly follow: () => void
  }

  function followed(
    act: (playground: Playground, pause: () => void, followed: Followed) => void,
  ): readonly string[] {
    vi.useFakeTimers()
    try {
      const playground = createPlayground(spawnInline)
      const address = entries()
      const { follow, stop } = syncAddress(playground, address)
      act(playground, () => vi.advanceTimersByTime(2_000), { address, follow })
      vi.advanceTimersByTime(2_000)
      stop()
      return address.list
    } finally {
      vi.useRealTimers()
    }
  }

  test('is replaced during a drag, once for many steps, with the last one', () => {
    const list = followed(({ actions }) => {
      for (const windowTurns of [1, 2, 3]) actions.changePolicy({ windowTurns }, 'windowTurns')
    })
    expect(list).toEqual(['v=2&w=3'])
  })

  test('gets a history entry for a choice: a switch, a comparison; none for another view', () => {
    const list = followed(({ actions }, pause) => {
      actions.changePolicy({ windowTurns: 4 }, 'windowTurns')
      actions.endGesture()
      pause()
      actions.changePolicy({ keepErrors: false })
      pause()
      actions.setView('diff')
      pause()
      actions.pin({ ...createPlayground(spawnInline).store.getState().policy })
    })
    expect(list).toEqual(['v=2&w=4', 'v=2&w=4&ke=0&o=diff', 'v=2&w=4&ke=0&a=1&o=diff'])
  })

  test('gets no history entry for an undo', () => {
    const list = followed(({ actions }, pause) => {
      actions.changePolicy({ keepErrors: false })
      pause()
      actions.undo()
    })
    expect(list).toEqual(['', ''])
  })

  test('is not overwritten when the browser goes to another entry before a change is written', () => {
    const list = followed(({ actions }, pause, { address, follow }) => {
      actions.changePolicy({ windowTurns: 5 }, 'windowTurns')
      address.list.push('v=2&w=3')
      actions.changePolicy({ windowTurns: 7 }, 'windowTurns')
      pause()
      expect(address.list).toEqual(['', 'v=2&w=3'])
      follow()
      actions.changePolicy({ windowTurns: 4 }, 'windowTurns')
    })
    expect(list).toEqual(['', 'v=2&w=4'])
  })

  test('is written again when a followed link is taken back before its settings are written', () => {
    const list = followed(({ actions }, pause, { address, follow }) => {
      actions.changePolicy({ windowTurns: 5 }, 'windowTurns')
      pause()
      address.list.push('v=2&w=3')
      follow()
      actions.changePolicy({ windowTurns: 3 }, 'windowTurns')
      actions.changePolicy({ windowTurns: 5 }, 'windowTurns')
    })
    expect(list).toEqual(['v=2&w=5', 'v=2&w=5'])
  })

  test('is written at most once in 700 milliseconds', () => {
    followed(({ actions }, _, { address }) => {
      const replace = vi.spyOn(address, 'replace')
      for (let step = 0; step < 100; step++) {
        actions.changePolicy({ windowTurns: step + 10 }, 'windowTurns')
        vi.advanceTimersByTime(50)
      }
      expect(replace.mock.calls.length).toBeGreaterThan(3)
      expect(replace.mock.calls.length).toBeLessThan(10)
    })
  })
})
