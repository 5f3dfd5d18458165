import type { Locator } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import {
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectFitsPage,
  largeTest,
  PHONE,
  test,
} from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { savedBy } from './steps'

const call = (id: string, name: string, written = '{"path":"a.txt"}') => ({
  id,
  type: 'function',
  function: { name, arguments: written },
})
const PENDING = JSON.stringify({
  model: 'gpt-5.1',
  messages: [
    { role: 'system', content: 'Be careful.' },
    { role: 'user', content: 'What is in the files?' },
    ...['a', 'b', 'c'].flatMap((id) =>
      turnOf(id, `A line of file ${id}.\n`.repeat(40), 'read_file'),
    ),
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('d', 'read_file', '{"path":"d.txt"}'), call('e', 'list_files', '{}')],
    },
    { role: 'tool', tool_call_id: 'd', content: 'The fourth file.' },
  ],
})

async function openPending(playground: PlaygroundPage, part: 'Next request' | 'Simulator') {
  await playground.reuse()
  await playground.openBytes('session.json', Buffer.from(PENDING))
  await expect(playground.meters).toContainText('4 tool results')
  return playground.openLoop(part)
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

/** What a click on this copies. */
async function copied(playground: PlaygroundPage, button: Locator): Promise<string> {
  await playground.page.evaluate(() => navigator.clipboard.writeText(''))
  await button.click()
  await expect.poll(() => playground.clipboard()).not.toBe('')
  return playground.clipboard()
}

largeTest(
  'a pending turn gets its results, and its request is copied',
  async ({ page, playground }) => {
    const loop = await openPending(playground, 'Next request')
    await expect(loop).toContainText('1 of the 2 calls of the last turn needs a result.')
    await expect(loop).toContainText('The request states that the call was not run.')
    const result = loop.getByRole('textbox', { name: 'Result of list_files (e)' })
    await result.fill('{"files": ')
    await expect(loop).toContainText('This looks like JSON but does not parse')
    await result.fill('{"files": 3}')
    await expect(loop).toContainText('Sent as JSON.')

    await loop.getByRole('button', { name: 'French' }).click()
    await expect(loop.getByRole('textbox', { name: 'Text of the style message' })).toHaveValue(
      /1\. Contexte/,
    )
    await expect(loop).toContainText('Sends 7 of 7 messages before the turn.')
    await expect(loop).toContainText('inside the window of 8')
    await playground.setWindow(1)
    await expect(loop).toContainText('3 placeholders in the request')
    await expect(loop).toContainText(/[\d,]+ → [\d,]+ tokens −\d/)

    await expect(loop).toContainText('Some providers reject it: its list of tools is empty')
    const request = JSON.parse(
      await copied(playground, loop.getByRole('button', { name: 'Copy JSON' })),
    )
    expect(request).toMatchObject({ model: 'gpt-5.1', tools: [], tool_choice: 'none' })
    const listed = { role: 'tool', tool_call_id: 'e', name: 'list_files', content: '{"files": 3}' }
    expect(request.messages.at(-1)).toEqual(listed)
    expect(request.messages[4].content).toContain('[Observation masquée')
    await loop.getByRole('button', { name: 'Omit the list' }).click()
    await expect(loop).toContainText('Providers accept it')
    const curl = await copied(playground, loop.getByRole('button', { name: 'Copy curl' }))
    expect(curl).toContain('-H "Authorization: Bearer $OPENAI_API_KEY"')
    expect(curl).not.toContain('"tools"')

    await expectAccessible(page, '#loop-drawer')
  },
)

test('a built request is one draft, saved, opened as a document', async ({ page, playground }) => {
  const loop = await openPending(playground, 'Next request')
  await playground.setWindow(1)
  await expect(loop).toContainText('3 placeholders in the request')
  const json = await copied(playground, loop.getByRole('button', { name: 'Copy JSON' }))
  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('Updated session.next-request.json under Recent.')
  const recent = await playground.openRecent()
  await expect(recent.getByRole('button', { name: /^session\.next-request\.json/ })).toHaveCount(1)
  await page.keyboard.press('Escape')

  await loop.getByRole('button', { name: 'More', exact: true }).click()
  const { name, bytes } = await savedBy(page.getByRole('menuitem', { name: 'Save as a file' }))
  expect(name).toBe('session.masked.next-request.json')
  expect(bytes.toString()).toBe(json)
  await loop.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Open as a document' }).click()
  await expect(playground.badge).toContainText('session.masked.next-request.json')
  await page.keyboard.press('Escape')
  await playground.undo('opening a transcript').click()
  await expect(playground.badge).toContainText('session.json')
})

largeTest('a batch is run under a simulated clock, and used', async ({ page, playground }) => {
  const loop = await openPending(playground, 'Simulator')
  await expect(loop).toContainText('Runs the real tool loop with simulated tools')
  const happened = loop.getByRole('table').first()
  await loop.getByRole('button', { name: 'Step' }).click()
  await expect(happened.getByRole('row')).toHaveCount(2)
  await expect(happened).toContainText('ran in 0.000 s')

  const tool = loop.getByRole('group', { name: 'Behaviour of list_files' })
  await tool.getByRole('button', { name: 'Never answers' }).click()
  await loop.getByRole('button', { name: 'Run the rest' }).click()
  await expect(happened).toContainText('in 15.000 s')
  await loop.getByRole('button', { name: '+5 min' }).click()
  await tool.getByRole('button', { name: 'Answers', exact: true }).click()
  await loop.getByRole('textbox', { name: 'Answer of list_files' }).fill('{"files": 4}')
  await loop.getByRole('button', { name: 'Run batch 2' }).click()
  await expect(happened).toContainText('{"files": 4}')
  expect(await copied(playground, loop.getByRole('button', { name: 'Copy the trace' }))).toMatch(
    /list_files e {2}failed {2}TIMEOUT {2}after 15\.000 s/,
  )
  await expectAccessible(page, '#loop-drawer')

  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('Updated session.simulation.json')
  await loop.getByRole('button', { name: 'Use in the next request' }).click()
  await expect(playground.notices).toContainText('2 results from the simulator')
  await playground.openLoop('Next request')
  await expect(loop.getByRole('textbox', { name: 'Result of list_files (e)' })).toHaveValue(
    '{"files": 4}',
  )

  await playground.openLoop('Simulator')
  await loop.getByRole('button', { name: 'Reset' }).click()
  await expect(loop).toContainText('Nothing has run yet.')
})

largeTest('both fit a phone', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await playground.open()
  const loop = await openPending(playground, 'Next request')
  await expect(loop.getByRole('button', { name: 'Copy JSON' })).toBeVisible()
  await expectAccessibleInBoth(page, '[role="dialog"]')
  await playground.openLoop('Simulator')
  await loop.getByRole('button', { name: 'Run batch 1' }).click()
  await expect(loop.getByRole('table').first()).toContainText('read_file')
  await expectAccessibleInBoth(page, '[role="dialog"]')
  await expectFitsPage(page)
})
