import { expect, test } from 'vitest'
import { ReadError } from '../problem'
import { applyEdits } from '../text/span'
import { offerRepair, repairSource } from './repair-source'

function repaired(text: string) {
  const fixes = repairSource(text)
  return fixes && [applyEdits(text, fixes), [...new Set(fixes.map(({ strategy }) => strategy))]]
}

const MESSAGE = '{"role": "user", "content": "a, ```b``` and \\"c\\","}'

test.each([
  [`[${MESSAGE},\n]`, `[${MESSAGE}\n]`, ['trailing_commas']],
  [`\`\`\`json\n[${MESSAGE}]\n\`\`\``, `[${MESSAGE}]\n`, ['fences']],
  [
    "[{'role': 'user', 'content': None, 'b': (True, \"it's\")}]",
    '[{"role": "user", "content": null, "b": [true, "it\'s"]}]',
    ['python_literals', 'python_collections', 'single_quoted_keys', 'single_quoted_values'],
  ],
  [`${MESSAGE},\n${MESSAGE.replace('a', 'b')}`, undefined, ['listed_values']],
  ['[{"role": "user" "content": NaN}]', '[{"role": "user", "content": null}]', undefined],
])('%j is nearly JSON', (text, output, strategies) => {
  const [after, used] = repaired(text) ?? []
  expect(after).toBe(output ?? `[${text}]`)
  if (strategies !== undefined) expect([...(used as string[])].sort()).toEqual(strategies.sort())
})

test.each([
  '[{"role": "user", "content": "cut o',
  'print("a")\nprint("b")',
  '{"a": 1}{"b": 2}',
  '{"a": 1}{"a": 1}',
  '[{"role": user}]',
])('%j is left alone: nothing is completed, merged, dropped or invented', (text) => {
  expect(repairSource(text)).toBeUndefined()
})

test('long texts get as much time as the clock gives', () => {
  let time = 0
  expect(repairSource(`[${MESSAGE},]`, () => (time += 2000))).toBeUndefined()
})

test('leaves a text of more than 20 million characters', () => {
  expect(repairSource(`[${' '.repeat(20_000_000)}${MESSAGE},]`)).toBeUndefined()
})

test('a repair is offered for what is not JSON, if the repaired text can be read', () => {
  const problem = (code: 'invalid_json' | 'empty') => ({ code, values: {}, offset: 0 })
  const refuse = () => {
    throw new ReadError('no_conversation', { found: { key: 'number' } })
  }
  expect(offerRepair('[1,]', problem('invalid_json'), JSON.parse)).toHaveLength(1)
  expect(offerRepair('[1,]', problem('invalid_json'), refuse)).toBeUndefined()
  expect(offerRepair('[1,]', problem('empty'), JSON.parse)).toBeUndefined()
  expect(offerRepair('[{"a": b}]', problem('invalid_json'), JSON.parse)).toBeUndefined()
})
