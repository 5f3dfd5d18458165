import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyDocument } from '@/lib/core/testing/documents'
import { forAll, forAllAsync } from '@/lib/core/testing/test-size'
import {
  CHAT_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
} from '@/lib/core/testing/transcripts'
import { TextPieces } from '@/lib/core/text/span'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { shownDecisionsOf } from '../costs/request-view'
import { createDescriber } from '../drafts/describe-draft'
import type { TextToStore } from '../drafts/restore-draft'
import { EMPTY_HISTORY } from '../history'
import { createPlayground } from '../playground'
import { outputTextOf } from '../policy/policy-view'
import { currentOutputPiecesOf } from './output-view'
import { rememberSource } from './remembered-source'
import { messageContent, slicesOf, textOfResult } from './selectors'

/** The text cut at these shares of its length. */
function cut(text: string, shares: readonly number[]): TextPieces {
  const pieces = new TextPieces()
  const ends = [...shares.map((share) => Math.floor(share * text.length)), text.length]
  let start = 0
  for (const end of ends.toSorted((a, b) => a - b)) {
    pieces.add(text.slice(start, end))
    start = end
  }
  return pieces
}

/** What views, copies and files show of a text. */
async function shownOf(text: string, pieces: TextPieces | undefined) {
  const { store, actions } = createPlayground(spawnInline)
  actions.openText(text, 'a.json', { kind: 'file' }, { pieces })
  await expect.poll(() => store.getState().reading.state).toMatch(/^(read|failed)$/)
  const state = store.getState()
  const { read, source } = state
  if (read === undefined) return state.reading
  const added = new Map<string, TextToStore>()
  createDescriber().describe({ ...state, history: EMPTY_HISTORY }, { stored: new Set(), added })
  return {
    decisions: shownDecisionsOf(state),
    output: outputTextOf(state),
    saved: currentOutputPiecesOf(state)?.join(''),
    draft: [...added.values()].map((stored) => 'text' in stored && stored.text.slice(0)),
    results: read.model.conversations.map(({ results }) =>
      results.map((result) => textOfResult(slicesOf(source), result)),
    ),
    messages: read.model.conversations.map((conversation) =>
      conversation.messages.map((_, at) =>
        messageContent(slicesOf(source), conversation, at, false),
      ),
    ),
  }
}

const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })

test('a document in any pieces is shown, copied and stored as its text', async () => {
  await forAllAsync(60, [anyDocument, anyCuts], async ({ text }, cuts) => {
    expect(await shownOf(text, cut(text, cuts))).toEqual(await shownOf(text, undefined))
  })
})

test.each(shortFiles([...SAMPLE_FILES, ...CHAT_FILES], 20_000))('so is $name', async (file) => {
  const text = readTranscript(file)
  const [cuts] = fc.sample(anyCuts, 1)
  expect(await shownOf(text, cut(text, cuts as number[]))).toEqual(await shownOf(text, undefined))
})

test('a step of the history that holds edits holds no pieces', () => {
  forAll(100, [fc.string({ minLength: 200 }), anyCuts], (text, cuts) => {
    const source = {
      ...{ id: 1, document: 1, name: 'a', origin: { kind: 'file' } as const },
      ...{ text, pieces: cut(text, cuts) },
    }
    const remembered = rememberSource(source, `${text}!`)
    const isWhole = typeof remembered.text === 'string'
    expect(remembered.pieces).toBe(isWhole ? source.pieces : undefined)
  })
})
