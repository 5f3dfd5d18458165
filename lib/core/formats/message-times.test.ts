import { afterAll, describe, expect, test } from 'vitest'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { readDocument } from './read-document'

/** Turns with a time, and all turns, of each file with times; no other file has any. */
const TIMED: Readonly<Record<string, readonly [timed: number, all: number]>> = {
  'anthropic-messages/cline-session.json': [11, 11],
  'claude-code/edge-cases-unparsable-line.jsonl': [3, 3],
  'claude-code/session-long.jsonl': [206, 206],
  'claude-code/session-orphan-result.jsonl': [46, 46],
  'codex/session-schema-drift.jsonl': [1, 1],
  // Most of its lines have had their times taken out.
  'codex/session-small.jsonl': [3, 7],
  'gemini/gemini-cli-session.json': [9, 9],
  'other/inspect-ais-decoder.eval/samples/1_epoch_1.json': [8, 8],
  'other/openhands-events.json': [4, 4],
}

/** Turns with a time, and all turns. */
function turnsOf(file: TranscriptFile): readonly [timed: number, all: number] {
  const turns = readDocument(readTranscript(file)).conversations.flatMap(({ messages }) =>
    messages.filter(({ turn }) => turn !== undefined),
  )
  return [turns.filter(({ writtenAt: at }) => at !== undefined).length, turns.length]
}

describe.skipIf(!HAS_CORPUS)(`the clock of transcripts in ${CORPUS_FOLDER}`, () => {
  const clocks: string[] = []
  afterAll(() => console.log(clocks.join('\n')))

  test.each(CORPUS_FILES.map((file) => [file.name, file] as const))('%s', (name, file) => {
    const [timed, all] = turnsOf(file)
    const expected = TIMED[name] ?? [0, all]
    clocks.push(`${name}: ${timed === all && all > 0 ? 'timestamps' : 'turn order'}`)
    expect([timed, all]).toEqual(expected)
  })
})
