/**
 * Draws later uses at random from transcripts, to be judged by reading: `npm run draw-later-uses -- SEED [COUNT] [FOLDERS]`,
 * by default 100 from `../shared/corpus` and `../shared/more-formats`. Every file gives as many as the others while it has some.
 * A use that several files have, because one session was written in several formats, is drawn once. With `--texts`, prints
 * what surrounds the term in the result and in the answer.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadConversation } from '../lib/core/conversation/conversation'
import { readDocument } from '../lib/core/formats/read-document'
import { createSessions } from '../lib/core/replay/sessions'
import { findLaterUses, type LaterUse } from '../lib/core/uses/find-later-uses'
import { createRandom } from './fuzz/random'

interface Found {
  readonly file: string
  readonly conversation: ReadConversation
  readonly use: LaterUse
}

const isWithTexts = process.argv.includes('--texts')
const [seed = '1', count = '100', ...named] = process.argv
  .slice(2)
  .filter((arg) => arg !== '--texts')
const folders = named.length > 0 ? named : ['../shared/corpus', '../shared/more-formats']
const random = createRandom(Number(seed))
const seen = new Set<string>()

const byFile = folders
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((file) => usesOf(folder, file)),
  )
  .filter(({ length }) => length > 0)

const drawn: Found[] = []
while (drawn.length < Number(count) && byFile.some(({ length }) => length > 0)) {
  for (const uses of byFile) {
    const [one] = uses.splice(random.below(Math.max(1, uses.length)), 1)
    if (one !== undefined && drawn.length < Number(count)) drawn.push(one)
  }
}
console.log(`seed ${seed}, ${drawn.length} uses from ${byFile.length} files`)
for (const [index, { file, conversation, use }] of drawn.entries()) {
  const { kind, where, distance, result, message, term } = use
  const place = `${file} ${conversation.label}`
  const from = (conversation.results[result]?.message ?? 0) + 1
  console.log(
    `${index + 1} | ${place} | ${kind} | ${from} | ${message + 1} | ${where} | ${distance}`,
  )
  if (!isWithTexts) continue
  console.log(`    TERM ${term}`)
  console.log(`    READ ${around((conversation.resultTexts[result] ?? []).join('\n'), term)}`)
  const texts = conversation.messageTexts[message]
  const answer = [
    ...(texts?.reasoning ?? []),
    ...(texts?.contents ?? []),
    ...(texts?.calls ?? []).map(({ name, arguments: text }) => `${name} ${text}`),
  ]
  console.log(`    USED ${around(answer.join('\n'), term)}`)
}

function usesOf(folder: string, file: string): Found[] {
  if (!/\.(jsonl?|traj)$/.test(file)) return []
  try {
    const { conversations } = readDocument(readFileSync(join(folder, file), 'utf8'))
    const counts = conversations.map(({ messages, results }) => ({
      messages: messages.map(({ chars }) => chars),
      results: results.map(({ chars }) => chars),
      perRequest: 0,
    }))
    const found = createSessions(conversations, counts).flatMap((session) => {
      const conversation = conversations[session.conversations.at(-1) as number] as ReadConversation
      return findLaterUses(session, conversation).map((use) => ({ file, conversation, use }))
    })
    const fresh = found.filter(({ use }) => !seen.has(keyOf(use)))
    for (const { use } of fresh) seen.add(keyOf(use))
    return fresh
  } catch {
    // Not a transcript.
    return []
  }
}

function keyOf({ term, where }: LaterUse): string {
  return `${where} ${term}`
}

function around(text: string, term: string): string {
  const word = term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/ +/g, '\\s+')
  const at = text.search(new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`))
  if (at === -1) return text.slice(0, 150).replace(/\s+/g, ' ')
  return text.slice(Math.max(0, at - 130), at + term.length + 110).replace(/\s+/g, ' ')
}
