import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { parseTree } from 'jsonc-parser'
import { readDocument } from '../../lib/core/formats/read-document'
import { maskEdits } from '../../lib/core/mask/mask-document'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { decide } from '../../lib/core/policy/decide'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { parseJsonTree } from '../../lib/core/text/json-tree'
import { applyEdits } from '../../lib/core/text/span'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { createJobRunner } from '../../lib/worker/job-runner'
import { type Block, collectGarbage, compare } from './compare'
import { LINE, makeBody, makeClaudeSession, megabytes } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }

export async function measureReading(): Promise<Block[]> {
  return [await compareReading(3_000), await compareOpening(260), await compareStep(3_000)]
}

async function compareReading(turns: number): Promise<Block> {
  const text = makeBody({ turns })
  return compare(`Reading ${megabytes(text)} of JSON`, [
    { name: 'JSON.parse', run: () => JSON.parse(text) },
    { name: 'jsonc-parser `parseTree`', run: () => parseTree(text) },
    { name: '`parseJsonTree`: positions', run: () => parseJsonTree(text), atMost: 15 },
    {
      name: '`readDocument`: values, positions, conversation',
      run: () => readDocument(text),
      atMost: 60,
    },
  ])
}

/** The worker jobs that open a file, up to the first counts on the page. */
async function compareOpening(turns: number): Promise<Block> {
  const text = makeClaudeSession(turns)
  const open = async (): Promise<void> => {
    // An encoding caches the texts it has counted, so each run gets a new one.
    const run = createJobRunner(await loadEncoding('o200k_base'))
    const context = { onProgress: () => {}, pause: async () => {} }
    await run('read', { document: 1, text }, context)
    await run('count', { document: 1 }, context)
  }
  return compare(`Opening a Claude Code session, ${megabytes(text)} of JSON Lines`, [
    {
      name: 'JSON.parse of each line',
      run: () => text.split('\n').map((line) => JSON.parse(line)),
    },
    { name: '`readDocument`', run: () => readDocument(text), atMost: 90 },
    { name: "the worker's jobs: read and count", run: open, atMost: 300 },
  ])
}

/** A slider step: decisions and edits, against parsing, masking and writing the text again. */
async function compareStep(turns: number): Promise<Block> {
  const text = makeBody({ turns })
  const { conversations } = readDocument(text)
  const plainStep = (): string => {
    const body = JSON.parse(text) as { messages: readonly object[] }
    return JSON.stringify({ ...body, messages: maskOldToolResults(body.messages, POLICY) }, null, 2)
  }
  const step = (): string => {
    const decisions = conversations.map((conversation) =>
      decide(conversation, POLICY, {
        textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      }),
    )
    return applyEdits(text, maskEdits(conversations, decisions))
  }
  const before = collectGarbage
  return compare(`A slider step, ${megabytes(text)} of JSON`, [
    { name: 'the plain way: JSON.parse, mask, JSON.stringify', run: plainStep, before },
    { name: 'decide, and edit the text', run: step, before, atMost: 0.8 },
  ])
}

export async function measureCounting(): Promise<Block[]> {
  const { countTokens } = await loadEncoding('o200k_base')
  let runs = 0
  const blocks: Block[] = []
  const kinds = [
    ['source code', LINE.repeat(400), 2],
    ['one letter', 'a'.repeat(4_000), 1],
    ['Chinese', '漢字'.repeat(1_000), 1],
  ] as const
  for (const [kind, text, atMost] of kinds) {
    // A number that changes makes each text new to the caches of whole texts and long runs.
    const fresh = (): string => `${text}${text.at(-1)?.repeat(runs++ % 97)}${runs}`
    blocks.push(
      await compare(`Counting ${text.length.toLocaleString('en')} characters of ${kind}`, [
        { name: 'gpt-tokenizer', run: () => countByLibrary(fresh()) },
        { name: '`countTokens`', run: () => countTokens(fresh()), atMost },
      ]),
    )
  }
  return blocks
}
