import { describe, expect, test } from 'vitest'
import { decodeFile } from '@/lib/core/formats/reading/open-source'
import { inEnglish } from '@/lib/core/words/english'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { ReadSource } from '../document/document-slice'
import { createPlayground } from '../playground'
import { fileOf } from '../testing/listed-files'
import { chatFileName } from './chat-body'
import { openConfig } from './config-file'
import { droppedFiles, isConfigName } from './dropped-files'
import { longTextOf } from './file-contents'

/** In bytes; longer than a text that is opened at once, and no multiple of the parts in which files are read. */
const SIZE = 4_300_001

/** Characters of one to four bytes, so that the parts of a file end within some of them. */
const LINE = '{"text": "aé—🦊"}\n'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const LONG = bytesOf(LINE.repeat(Math.ceil(SIZE / bytesOf(LINE).length)))

function withByteAt(at: number, byte: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(LONG)
  bytes[at] = byte
  return bytes
}

describe('the text of a long file', () => {
  test.each([
    ['characters of one to four bytes', LONG],
    ['a byte order mark', bytesOf(`\ufeff${'[1, 2]'.padEnd(SIZE)}`)],
    ['text after megabytes of spaces', bytesOf(`${' '.repeat(SIZE)}[1]`)],
  ])('is that of its bytes, in pieces and as a whole: %s', async (_, bytes) => {
    const decoded = await longTextOf(new File([Uint8Array.from(bytes)], 'a.json'))
    const text = decodeFile(bytes)
    expect(decoded?.text === text).toBe(true)
    expect(decoded?.pieces?.slice(0) === text).toBe(true)
    for (let start = 0; start < text.length; start += 99_991)
      expect(decoded?.pieces?.slice(start, start + 50)).toBe(text.slice(start, start + 50))
  })

  test.each([
    ['a short file', bytesOf('[]')],
    ['an invalid byte', withByteAt(3_000_000, 0xff)],
    ['a character cut off by the end', LONG.subarray(0, LONG.length - 5)],
    ['a zero byte', withByteAt(4_000_000, 0)],
    ['a zip archive', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, ...LONG])],
    ['nothing but spaces', bytesOf(' \n'.repeat(SIZE))],
  ])('is left to the reader of its bytes: %s', async (_, bytes) => {
    expect(await longTextOf(new File([Uint8Array.from(bytes)], 'a.json'))).toBeUndefined()
  })
})

type Entry = Partial<FileSystemFileEntry & FileSystemDirectoryEntry>

describe('what is dropped', () => {
  const entry = (path: string, isDirectory: boolean) => {
    return { isDirectory, fullPath: path, name: path.slice(path.lastIndexOf('/') + 1) }
  }
  const leaf = (path: string): Entry => ({
    ...entry(path, false),
    file: (onFile) => onFile(fileOf(path, '[]').file as File),
  })
  const folder = (path: string, children: readonly Entry[]): Entry => ({
    ...entry(path, true),
    createReader: () => {
      // In chunks, like browsers.
      const pieces = [children.slice(0, 1), children.slice(1)].filter((piece) => piece.length > 0)
      return { readEntries: (onEntries) => onEntries((pieces.shift() ?? []) as FileSystemEntry[]) }
    },
  })
  const drop = (...entries: readonly Entry[]) =>
    droppedFiles({
      items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
      files: [],
    } as unknown as DataTransfer)

  test('folders are read in name order', async () => {
    const found = await drop(
      folder('/runs', [
        leaf('/runs/b.json'),
        folder('/runs/a', [leaf('/runs/a/1.json'), leaf('/runs/a/2.json')]),
        folder('/runs/node_modules', [leaf('/runs/node_modules/x.json')]),
      ]),
      leaf('/c.json'),
    )
    const names = ['runs/a/1.json', 'runs/a/2.json', 'runs/b.json', 'c.json']
    expect(found.map(({ name }) => name)).toEqual(names)
  })
})

const CONFIG = '[observation_masking.schema1]\nenabled = true\nwindow_turns = 3\n'

describe('a config opened like any file', () => {
  test('is recognised by its name', () => {
    const names = ['config.toml', 'a/CONFIG.TOML', 'run.json', 'toml']
    expect(names.filter(isConfigName)).toEqual(names.slice(0, 2))
  })

  test('sets the policy as one undo step, and is remembered for exports', () => {
    const playground = createPlayground(spawnInline)
    openConfig(playground, 'config.toml', CONFIG)
    const { policy, config, notices } = playground.store.getState()
    expect(policy).toMatchObject({ enabled: true, windowTurns: 3 })
    expect(config).toEqual({ name: 'config.toml', text: CONFIG })
    expect(notices.map(({ code }) => code)).toEqual(['config_applied'])
    playground.actions.undo()
    expect(playground.store.getState().policy.windowTurns).toBe(8)
  })

  test.each([
    [`${CONFIG}colour = 1\n`, 'config_problems', 'Line 4'],
    ['[server]\n', 'config_failed', 'There is no table'],
    ['[server\n', 'config_failed', 'Line 1'],
  ])('says what is wrong with it: %j', (text, code, reason) => {
    const playground = createPlayground(spawnInline)
    openConfig(playground, 'config.toml', text)
    const [notice] = playground.store.getState().notices
    expect(notice?.code).toBe(code)
    expect(inEnglish(notice?.values.reasons ?? '')).toContain(reason)
  })
})

describe('the name of a conversation saved as chat completions', () => {
  const name = (source: string, conversations: number, isMasked: boolean, conversation = 0) => {
    const read = {
      source: { name: source },
      model: { conversations: Array.from({ length: conversations }) },
    } as unknown as ReadSource
    return chatFileName({ read, conversation }, isMasked)
  }

  test.each([
    [name('run.json', 1, false), 'run.openai-chat.json'],
    [name('run.v2.jsonl', 3, true, 1), 'run.v2.2.masked.openai-chat.json'],
    [name('', 1, true), 'conversation.masked.openai-chat.json'],
  ])('%s', (found, expected) => {
    expect(found).toBe(expected)
  })
})
