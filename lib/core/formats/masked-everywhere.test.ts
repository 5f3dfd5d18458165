/** A masked text is nowhere in the output: clients write results twice, for screens, telemetry and requests of their own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { MASK_ALL } from '../testing/expect-masked'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  readTranscript,
  SAMPLE_FILES,
  STREAM_FILES,
} from '../testing/transcripts'
import { parseJson } from '../text/json'
import { visitStrings } from '../text/json-path'
import { readDocument } from './read-document'

const RUN = 40
const BLOCK = RUN / 2
/** What a model wrote and a client wrote again: the prompt of an agent, the difference that an edit made, a final patch. */
const WRITTEN_AGAIN = new Set<unknown>(['prompt', 'diff', 'submission'])

/** The strings of a JSON text or JSON Lines, and those of JSON in them, with the key of each. */
function stringsOf(text: string): (readonly [text: string, key: unknown])[] {
  const found: (readonly [string, unknown])[] = []
  const visit = (value: unknown, outer?: unknown): void =>
    visitStrings(value, [], (inner, path) => {
      const value = /^\s*[{[]/.test(inner) ? parseJson(inner) : undefined
      if (value === undefined) found.push([inner, path.at(-1) ?? outer])
      else visit(value, path.at(-1))
    })
  const whole = parseJson(text)
  if (whole === undefined) for (const line of text.split('\n')) visit(parseJson(line))
  else visit(whole)
  return found
}

/** Each string of the masked text with a run of a masked result that is in nothing that may stay. */
function leaksOf(text: string): string[] {
  const { conversations } = readDocument(text)
  const output = maskDocument(
    { text, conversations },
    { ...MASK_ALL, beforeSignedThinking: 'mask' },
  )
  const results = (isMasked: boolean) =>
    conversations.flatMap(({ resultTexts }, at) =>
      resultTexts.filter((_, index) => {
        return (output.decisions[at]?.[index]?.action === 'mask') === isMasked
      }),
    )
  const masked = results(true).flat()
  const strings = stringsOf(output.text)
  // Results that stay, what messages say, calls, and what a model wrote that a client wrote again.
  const staying = [
    ...results(false).flat(),
    ...conversations.flatMap(({ messageTexts, callArguments }) => [
      ...messageTexts.flatMap(({ contents, reasoning }) => [...contents, ...reasoning]),
      ...callArguments.flatMap((one) => [one, ...stringsOf(one).map(([inner]) => inner)]),
    ]),
    ...strings.flatMap(([one, key]) => (WRITTEN_AGAIN.has(key) ? [one] : [])),
  ]
  const blocks = new Set(
    masked.flatMap((one) =>
      Array.from({ length: one.length / BLOCK }, (_, at) =>
        one.slice(at * BLOCK, (at + 1) * BLOCK),
      ),
    ),
  )
  const [maskedText, stayingText, stays] = [masked.join('\0'), staying.join('\0'), new Set(staying)]
  const isLeak = (run: string) => maskedText.includes(run) && !stayingText.includes(run)
  return strings.flatMap(([one]) => {
    // A name has no white space: the branch, the folder.
    if (one.length < RUN || !/\s/.test(one) || stays.has(one)) return []
    for (let at = 0; at + BLOCK <= one.length; at++) {
      if (!blocks.has(one.slice(at, at + BLOCK))) continue
      for (let start = Math.max(0, at - BLOCK); start <= at && start + RUN <= one.length; start++) {
        const run = one.slice(start, start + RUN)
        if (isLeak(run)) return [run]
      }
    }
    return []
  })
}

const CLIENTS = join(CORPUS_FOLDER, '../reports/clients')
const OF_CLIENTS = existsSync(CLIENTS) ? readdirSync(CLIENTS) : []

test.each([...SAMPLE_FILES, ...STREAM_FILES, ...CORPUS_FILES])('$name', (file) => {
  expect(leaksOf(readTranscript(file))).toEqual([])
})

if (OF_CLIENTS.length === 0) test.skip(`what clients wrote: there is no ${CLIENTS}`, () => {})

test.each(OF_CLIENTS)('%s of a client', (name) => {
  expect(leaksOf(readFileSync(join(CLIENTS, name), 'utf8'))).toEqual([])
})
