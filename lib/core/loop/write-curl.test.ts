import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { recogniseCopiedRequests } from '../formats/network/recognise-copied-requests'
import { DEFAULT_ENDPOINT, writeCurl } from './write-request'

const folder = mkdtempSync(join(tmpdir(), 'write-curl-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints its arguments and standard input, each followed by a zero byte. */
const FAKE_CURL =
  '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done > "$CALLED"\ncat >> "$CALLED"\n'
writeFileSync(join(folder, 'curl'), FAKE_CURL, { mode: 0o755 })

/** Runs a command in a shell with a fake curl first in the path, and returns what curl received. */
function run(shell: string, command: string): { words: string[]; input: string } {
  const called = join(folder, 'called')
  const script = join(folder, 'script')
  writeFileSync(script, command)
  execFileSync(shell, [script], {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      OPENAI_API_KEY: 'the-key',
      CALLED: called,
    },
    input: '',
  })
  const parts = readFileSync(called, 'utf8').split('\0')
  return { words: parts.slice(0, -1), input: parts.at(-1) ?? '' }
}

const requestOf = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })

const NASTY = [
  "it's $HOME `whoami` \"$(id)\" \\ \\' !! !$ '\\''",
  'line one\nline two\r\n\ttab \u0000 \u001b[31m \u2028 é 😀 \ud83d',
  'END_OF_BODY\nEND_OF_BODY',
  '-d @/etc/passwd',
]

describe.each(['bash', 'sh'])('%s', (shell) => {
  test.each(NASTY)("calls curl with the shell's API key and the exact body: %j", (text) => {
    const request = requestOf(text)
    const { words, input } = run(shell, writeCurl(request))
    expect(words).toEqual([
      DEFAULT_ENDPOINT,
      ...['-H', 'Content-Type: application/json'],
      ...['-H', 'Authorization: Bearer the-key'],
      ...['--data-binary', JSON.stringify(request)],
    ])
    expect(input).toBe('')
  })

  test.each(NASTY)('sends a body too long for an argument through standard input: %j', (text) => {
    const request = requestOf(text.repeat(20_000))
    const { words, input } = run(shell, writeCurl(request))
    expect(words.slice(-2)).toEqual(['--data-binary', '@-'])
    expect(JSON.parse(input)).toEqual(JSON.parse(JSON.stringify(request)))
  })
})

test('a pasted command is read as its request', () => {
  const request = requestOf(NASTY.join('\n'))
  const copied = recogniseCopiedRequests(writeCurl(request))
  expect(copied?.place).toContain('api.openai.com/v1/chat/completions')
  expect(JSON.parse(copied?.body ?? '')).toEqual(JSON.parse(JSON.stringify(request)))
})
