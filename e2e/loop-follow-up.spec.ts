import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { PlaygroundPage } from './playground-page'

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
    ...['a', 'b', 'c'].flatMap((id) => [
      { role: 'assistant', content: null, tool_calls: [call(id, 'read_file')] },
      { role: 'tool', tool_call_id: id, content: `A line of file ${id}.\n`.repeat(40) },
    ]),
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('d', 'read_file', '{"path":"d.txt"}'), call('e', 'list_files', '{}')],
    },
    { role: 'tool', tool_call_id: 'd', content: 'The fourth file.' },
  ],
})

async function openPending(page: Page, part: 'Follow-up' | 'Run') {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('session.json', Buffer.from(PENDING))
  await expect(playground.meters).toContainText('4 results')
  return { playground, loop: await playground.openLoop(part) }
}

/** Violations of the drawer alone, or of the sheet it is on a phone. */
async function violationsIn(page: Page, place: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(place).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}

/** What the browser put on the clipboard. */
async function copied(page: Page, button: Locator): Promise<string> {
  await page.evaluate(() => {
    const kept = window as unknown as { copied?: string }
    delete kept.copied
    const writeText = async (text: string) => {
      kept.copied = text
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  })
  await button.click()
  const text = () => page.evaluate(() => (window as unknown as { copied?: string }).copied)
  await expect.poll(text).toBeDefined()
  return (await text()) ?? ''
}

test('a pending turn gets its results, and its request is counted, copied, opened and kept', async ({
  page,
}) => {
  const { playground, loop } = await openPending(page, 'Follow-up')
  await expect(loop).toContainText('1 of the 2 calls of the last turn waits for a result.')
  await expect(loop).toContainText('The request says that it was not run.')
  const result = loop.getByRole('textbox', { name: 'Result of list_files (e)' })
  await result.fill('{"files": ')
  await expect(loop).toContainText('It looks like JSON but does not parse')
  await result.fill('{"files": 3}')
  await expect(loop).toContainText('Sent as JSON.')

  await loop.getByRole('button', { name: 'French' }).click()
  await expect(loop.getByRole('textbox', { name: 'Text of the style message' })).toHaveValue(
    /1\. Contexte/,
  )
  await expect(loop).toContainText('Sends 7 of 7 messages before the turn.')
  await expect(loop).toContainText('lie within the window of 8')
  await playground.setWindow(1)
  await expect(loop).toContainText('3 placeholders in the request')
  await expect(loop).toContainText(/[\d,]+ → [\d,]+ tokens −\d/)

  await expect(loop).toContainText('Some providers refuse it: its list of tools is empty')
  const request = JSON.parse(await copied(page, loop.getByRole('button', { name: 'Copy JSON' })))
  expect(request).toMatchObject({ model: 'gpt-5.1', tools: [], tool_choice: 'none' })
  expect(request.messages.slice(-3)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('d', 'read_file', '{"path":"d.txt"}'), call('e', 'list_files', '{}')],
    },
    { role: 'tool', tool_call_id: 'd', name: 'read_file', content: 'The fourth file.' },
    { role: 'tool', tool_call_id: 'e', name: 'list_files', content: '{"files": 3}' },
  ])
  expect(request.messages[4].content).toContain('[Observation masquée')
  await loop.getByRole('button', { name: 'Leave it out' }).click()
  await expect(loop).toContainText('Providers take it')
  const curl = await copied(page, loop.getByRole('button', { name: 'Copy curl' }))
  expect(curl).toContain('-H "Authorization: Bearer $OPENAI_API_KEY"')
  expect(curl).not.toContain('"tools"')

  expect(await violationsIn(page, '#loop-drawer')).toEqual([])
  expect(playground.complaints).toEqual([])
})

test('a built request is kept once, saved as a file and opened as a document', async ({ page }) => {
  const { playground, loop } = await openPending(page, 'Follow-up')
  await playground.setWindow(1)
  await expect(loop).toContainText('3 placeholders in the request')
  const json = await copied(page, loop.getByRole('button', { name: 'Copy JSON' }))
  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('Saved as session.follow-up.json')
  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('was brought up to date')
  const recent = await playground.openRecent()
  await expect(recent.getByRole('button', { name: /^session\.follow-up\.json/ })).toHaveCount(1)
  await page.keyboard.press('Escape')

  await loop.getByRole('button', { name: 'More', exact: true }).click()
  const started = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as a file' }).click()
  const file = await started
  expect(file.suggestedFilename()).toBe('session.masked.follow-up.json')
  expect(readFileSync(await file.path(), 'utf8')).toBe(json)
  await loop.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Open as a document' }).click()
  await expect(playground.badge).toContainText('session.masked.follow-up.json')
  await page.keyboard.press('Escape')
  await playground.undo('opening a transcript').click()
  await expect(playground.badge).toContainText('session.json')
  expect(playground.complaints).toEqual([])
})

test('a batch is stepped through under a clock moved by hand, and its results are used', async ({
  page,
}) => {
  const { playground, loop } = await openPending(page, 'Run')
  await expect(loop).toContainText('The real state machine with simulated tools')
  await loop.getByRole('button', { name: 'By hand' }).click()
  const happened = loop.getByRole('table').first()
  await loop.getByRole('button', { name: 'Step' }).click()
  await expect(happened.getByRole('row')).toHaveCount(2)
  await expect(happened).toContainText('ran in 0.000 s')

  const tool = loop.getByRole('group', { name: 'What list_files does' })
  await tool.getByRole('button', { name: 'Never answers' }).click()
  await loop.getByRole('button', { name: 'Run the rest' }).click()
  await expect(loop).toContainText('list_files e is running. It waits for the clock: move it on.')
  await loop.getByRole('button', { name: '+30 s' }).click()
  await expect(happened).toContainText('TIMEOUT')
  await expect(happened).toContainText('in 15.000 s')

  await loop.getByRole('button', { name: 'Run batch 2' }).click()
  await expect(happened).toContainText('ANTI_LOOP_ID')
  await loop.getByRole('button', { name: '+5 min' }).click()
  await tool.getByRole('button', { name: 'Answers', exact: true }).click()
  await loop.getByRole('textbox', { name: 'Answer of list_files' }).fill('{"files": 4}')
  await loop.getByRole('button', { name: 'Run batch 3' }).click()
  await expect(happened).toContainText('{"files": 4}')
  await expect(loop).toContainText('4 of 200')
  await expect(loop.getByRole('textbox', { name: 'Trace of the run' })).toHaveValue(
    /list_files e {2}failed {2}TIMEOUT {2}after 15\.000 s/,
  )
  expect(await violationsIn(page, '#loop-drawer')).toEqual([])

  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('Saved as session.run.json')
  await loop.getByRole('button', { name: 'Use in the follow-up' }).click()
  await expect(playground.notices).toContainText('2 results of the run')
  await playground.openLoop('Follow-up')
  await expect(loop.getByRole('textbox', { name: 'Result of list_files (e)' })).toHaveValue(
    '{"files": 4}',
  )

  await playground.openLoop('Run')
  await loop.getByRole('button', { name: 'Reset' }).click()
  await expect(loop).toContainText('Nothing has run yet.')
  expect(playground.complaints).toEqual([])
})

test('without a turn the builder says so, and the runner takes a list of one’s own', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('talk.json', Buffer.from('[{"role":"user","content":"hello"}]'))
  await expect(playground.meters).toContainText('1 messages')
  const loop = await playground.openLoop('Follow-up')
  await expect(loop).toContainText('No tool was called in this conversation')
  await playground.openLoop('Run')
  await loop.getByRole('button', { name: 'Add a call' }).click()
  const name = loop.getByRole('textbox', { name: 'Tool of call 1' })
  const does = loop.getByRole('group', { name: /^What .* does$/ })
  await expect(does).toHaveCount(1)
  await name.fill('')
  await expect(loop).toContainText('A call needs the name of a tool.')
  await expect(does).toHaveCount(0)
  await name.fill('tool')
  await loop.getByRole('button', { name: 'Duplicate call 1' }).click()
  await loop.getByRole('textbox', { name: 'Arguments of call 2' }).fill('{"a": ')
  await expect(loop).toContainText('These arguments do not parse')
  await loop.getByRole('textbox', { name: 'Arguments of call 2' }).fill('{ }')
  await loop.getByRole('button', { name: 'Run batch 1' }).click()
  await expect(loop.getByRole('table').first()).toContainText('DUPLICATE_IN_BATCH')
  await loop.getByRole('button', { name: 'Use in the follow-up' }).click()
  await expect(playground.notices).toContainText('None of these calls is in the turn')
})

test('a batch that was run is said to be of another conversation, and gives way after a reset', async ({
  page,
}) => {
  const { playground, loop } = await openPending(page, 'Run')
  await expect(loop).toContainText('the calls of the last turn')
  await loop.getByRole('button', { name: 'Run batch 1' }).click()
  const other = [{ role: 'assistant', content: null, tool_calls: [call('z', 'search')] }]
  await playground.openBytes('other.json', Buffer.from(JSON.stringify(other)))
  await expect(loop).toContainText('the calls of another conversation')
  await expect(loop.getByRole('button', { name: 'Take the last turn’s calls' })).toBeVisible()
  await loop.getByRole('button', { name: 'Reset' }).click()
  await expect(loop.getByRole('textbox', { name: 'Tool of call 1' })).toHaveValue('search')
  await expect(loop).toContainText('the calls of the last turn')
  expect(playground.complaints).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`both fit a phone, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 390, height: 844 })
    const { loop, playground } = await openPending(page, 'Follow-up')
    await expect(loop.getByRole('button', { name: 'Copy JSON' })).toBeVisible()
    expect(await violationsIn(page, '[role="dialog"]')).toEqual([])
    await playground.openLoop('Run')
    await loop.getByRole('button', { name: 'Run batch 1' }).click()
    await expect(loop.getByRole('table').first()).toContainText('read_file')
    expect(await violationsIn(page, '[role="dialog"]')).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    expect(playground.complaints).toEqual([])
  })
}
