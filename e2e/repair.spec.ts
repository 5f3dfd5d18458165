import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, expectAccessible, test } from './fixtures'
import { savedBy } from './steps'

const turn = (id: string, name: string, written: string) => turnOf(id, 'done', name, written)
const BROKEN = JSON.stringify(
  {
    messages: [
      { role: 'user', content: 'Go on.' },
      ...turn('a', 'find', '{"query": "x" "limit": "3"}'),
      ...turn('b', 'find', '{"query": "y"}'),
      ...turn('c', 'note', '{"text": "cut o'),
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'find', parameters: { properties: { limit: { type: 'integer' } } } },
      },
    ],
  },
  null,
  1,
)

test('broken arguments are counted, shown, and saved repaired', async ({ page, playground }) => {
  await playground.reuse()
  await playground.openBytes('broken.json', Buffer.from(BROKEN))
  await playground.found.getByRole('link', { name: '2 calls have broken arguments' }).click()
  const repairs = playground.loop
  await expect(repairs).toContainText('2 calls of 3 are broken: 2 repaired')
  const calls = repairs.getByRole('list', { name: 'Broken calls' }).locator('> li')
  await expect(calls.first().getByRole('figure', { name: 'After' })).toHaveText(
    '{"query": "x", "limit": "3"}',
  )
  await expect(calls.first()).toContainText('Added a missing comma')
  await expect(calls.first()).toContainText('No data was lost')
  await expect(calls.first()).toContainText('It does not match the tool’s schema')
  await expect(calls.last()).toContainText('Data may be missing')
  await repairs.getByRole('button', { name: 'Possible data loss 1' }).click()
  await expect(calls).toHaveCount(1)
  await expect(calls).toContainText('note')
  await repairs.getByRole('button', { name: 'All 2' }).click()
  await expect(calls).toHaveCount(2)
  await repairs.getByRole('button', { name: 'Metrics' }).click()
  await expect(repairs.getByRole('row', { name: /^Valid/ })).toHaveText('Valid1')

  await expectAccessible(page, 'main')

  const save = repairs.getByRole('button', { name: 'Save the repaired transcript' })
  const { name, bytes } = await savedBy(save)
  expect(name).toBe('broken.repaired.json')
  expect(bytes.toString()).toBe(
    BROKEN.replace('\\"x\\" \\"limit', '\\"x\\", \\"limit').replace('cut o"', 'cut o\\"}"'),
  )

  await repairs.getByRole('textbox', { name: 'Arguments to repair' }).fill("{'a': True, b: [1 2,]")
  const typed = repairs.getByRole('figure', { name: 'After' }).last()
  await expect(typed).toHaveText('{"a": true, "b": [1, 2]}')

  await repairs.getByRole('button', { name: 'Show in the transcript: find, message 2' }).click()
})
