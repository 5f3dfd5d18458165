import { describe, expect, test, vi } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { describeProblem } from '@/lib/core/words/english'
import { createJobRunner } from './job-runner'
import { joinPart, type OutputPart } from './output-parts'

const CONTEXT = { onProgress: () => {}, pause: () => Promise.resolve() }
const TEXT = '[{"role":"user","content":"hello"}]'

const ENCODING = loadEncoding('o200k_base')

/** A runner that also lists the texts it counts. */
async function setUp() {
  const encoding = await ENCODING
  const counted: string[] = []
  const countTokens = (text: string) => {
    if (!encoding.isKnown(text)) counted.push(text)
    return encoding.countTokens(text)
  }
  return { run: createJobRunner({ ...encoding, countTokens }), counted }
}

const user = (content: string) => ({ role: 'user', content })

test('the shown conversation is counted and sent before the others', async () => {
  const { run, counted } = await setUp()
  const lines = ['first', 'second', 'third'].map((text) =>
    JSON.stringify({ messages: [user(text)] }),
  )
  await run('read', { document: 1, text: lines.join('\n') }, CONTEXT)
  const parts: OutputPart[] = []
  const onPart = (part: OutputPart) => {
    expect(counted).not.toContain('third')
    parts.push(part)
  }
  const outcome = await run('count', { document: 1, shown: 1 }, { ...CONTEXT, onPart })
  if (outcome.state !== 'done') throw new Error(outcome.state)
  expect(counted.filter((text) => /^(first|second|third)$/.test(text))).toEqual([
    'second',
    'first',
    'third',
  ])
  const sent = parts.reduce<unknown>(joinPart, undefined) as typeof outcome.output
  expect(sent[1]).toEqual(outcome.output[1])
  expect(Object.keys(sent)).toEqual(['1'])
})

test('after an edit only the text that changed is counted', async () => {
  const { run, counted } = await setUp()
  const read = async (document: number, contents: readonly string[]) => {
    await run('read', { document, text: JSON.stringify(contents.map(user)) }, CONTEXT)
    return run('count', { document }, CONTEXT)
  }
  await read(1, ['one', 'two', 'three'])
  counted.length = 0
  await read(2, ['one', 'two and more', 'three'])
  expect(counted).toEqual(['two and more'])
})

describe('a reader that throws', () => {
  test('gives a problem in the words of this project, for the open text and for a listed file', async () => {
    const run = createJobRunner(await ENCODING)
    const [format] = FORMATS
    if (format === undefined) throw new Error('There are no formats.')
    const recognise = vi.spyOn(format, 'recognise').mockImplementation(() => {
      throw new TypeError('Cannot convert object to primitive value')
    })
    const outcomes = [
      await run('read', { document: 1, text: TEXT, format: undefined }, CONTEXT),
      await run(
        'measureFile',
        {
          file: 1,
          name: 'a.json',
          advice: DEFAULT_ADVICE,
          costs: undefined,
          bytes: new TextEncoder().encode(TEXT),
          model: undefined,
          policy: DEFAULT_POLICY,
        },
        CONTEXT,
      ),
    ]
    recognise.mockRestore()
    for (const outcome of outcomes) {
      if (outcome.state !== 'unreadable') throw new Error(`The outcome is ${outcome.state}.`)
      expect(outcome.problem.code).toBe('reader_failed')
      expect(describeProblem(outcome.problem)).toMatch(
        /^This program failed while it read the text\./,
      )
    }
    expect(
      await run('read', { document: 2, text: TEXT, format: undefined }, CONTEXT),
    ).toMatchObject({
      state: 'done',
    })
  })
})
