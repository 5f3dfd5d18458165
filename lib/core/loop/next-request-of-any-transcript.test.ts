import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { recogniseCopiedRequests } from '../formats/network/recognise-copied-requests'
import { GOOD_REQUEST } from '../testing/broken-requests'
import { anyConversation, anyText } from '../testing/chat-messages'
import { forAll } from '../testing/test-size'
import { isJsonObject } from '../text/json'
import type { CallResult } from './call-result'
import { checkRequest, REQUEST_RULES } from './check-request'
import { buildNextRequest, type ChatMessage } from './next-request'
import { idsOf, OPTIONS } from './testing/request-options'
import { DEFAULT_ENDPOINT, writeCurl } from './write-request'

const anyGiven = fc.array(
  fc.record({
    tool_call_id: fc.constantFrom('a', 'b', 'call_1', 'call_2', '__proto__', 'nobody'),
    name: fc.constantFrom('read', ''),
    content: anyText,
    success: fc.boolean(),
  }),
  { maxLength: 4 },
)

describe('for any transcript, results and limit', () => {
  const built = (
    conversation: readonly unknown[],
    given: readonly CallResult[],
    historyMessages: number,
  ) => {
    const messages = conversation.filter((message) => isJsonObject(message)) as ChatMessage[]
    return {
      messages,
      nextRequest: buildNextRequest(messages, given, { ...OPTIONS, historyMessages }),
    }
  }

  test('every call is answered directly after its message, and no rule of all providers is broken', () => {
    forAll(200, [anyConversation, anyGiven, fc.nat(12)], (conversation, given, limit) => {
      const { nextRequest } = built(conversation, given, limit)
      let open: unknown[] = []
      const all: unknown[] = []
      for (const message of nextRequest?.request.messages ?? []) {
        if (message.role === 'tool') {
          expect(message.tool_call_id).toBe(open.shift())
          continue
        }
        expect(open).toEqual([])
        open = message.role === 'assistant' ? idsOf(message) : []
        for (const id of open) expect(typeof id === 'string' && id !== '').toBe(true)
        all.push(...open)
      }
      expect(open).toEqual([])
      expect(new Set(all).size).toBe(all.length)
      const refused = checkRequest(JSON.parse(JSON.stringify(nextRequest?.request ?? GOOD_REQUEST)))
      expect(refused.filter(({ rule }) => REQUEST_RULES[rule] === 'all')).toEqual([])
    })
  })

  test('the limit bounds the history, and a higher limit only extends it', () => {
    forAll(100, [anyConversation, fc.nat(12), fc.nat(12)], (conversation, limit, more) => {
      const { messages, nextRequest: less } = built(conversation, [], limit)
      const { nextRequest: longer } = built(conversation, [], limit + more)
      if (less === undefined || longer === undefined) return
      expect(less.history.sent).toBeLessThanOrEqual(limit + 1)
      expect(less.history.sent).toBeLessThanOrEqual(longer.history.sent)
      expect(longer.history.sent).toBeLessThanOrEqual(longer.history.all)
      const whole = built(messages, [], messages.length * 10).nextRequest
      expect(whole?.history.sent).toBe(whole?.history.all)
    })
  })
})

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
