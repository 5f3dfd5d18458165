import type { Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, largeTest, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

/** Two old results, the second an error, and new ones: the last eight are in the window. */
function conversation(newTurns = 8): string {
  const turn = (id: string, content: string) => turnOf(id, content, 'read_file')
  const messages = [
    ...turn('call_old', 'a line of the file\n'.repeat(12)),
    ...turn('call_error', 'Traceback (most recent call last): nothing there'),
    ...Array.from({ length: newTurns }, (_, index) => turn(`call_${index}`, 'a new line\n')).flat(),
  ]
  return JSON.stringify({ messages }, null, 2)
}

/** Opens a document and waits until the left pane shows it. */
async function openText(
  playground: PlaygroundPage,
  name: string,
  { text = conversation(), shown = 'call_old' } = {},
): Promise<void> {
  await playground.openBytes(name, Buffer.from(text))
  await playground.shows(name)
  await expect(pane(playground.page, 'Conversation')).toContainText(shown)
  await playground.isCounted()
}

const pane = (page: Page, name: 'Conversation' | 'What is sent') =>
  page.getByRole('region', { name, exact: true })

test('the editors load in workers, and underline an error', async ({ page, playground }) => {
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await playground.open()
  await openText(playground, 'error.json')
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('oops')
  await expect(pane(page, 'Conversation').getByRole('alert')).toContainText('Line 1, column 1')
  await expect(pane(page, 'Conversation').locator('.squiggly-error').first()).toBeVisible()
  await expect(pane(page, 'What is sent').getByRole('status')).toContainText('last text')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect(pane(page, 'Conversation').getByRole('alert')).toHaveCount(0)
  await expect(pane(page, 'Conversation').locator('.squiggly-error')).toHaveCount(0)

  // Without a worker the comparison would run on the page's thread, with a warning.
  await playground.button('Diff').click()
  await expect.poll(() => workers.length).toBeGreaterThanOrEqual(2)
  for (const url of workers) expect(new URL(url).origin).toBe(new URL(page.url()).origin)
})

test('an old result gives way to a placeholder, and is back', async ({ page, playground }) => {
  await playground.reuse()
  await openText(playground, 'talk.json')
  const sent = pane(page, 'What is sent')
  await expect(sent).toContainText('tool_call_id=call_old')
  await expect(pane(page, 'Conversation')).not.toContainText('tool_call_id=call_old')
  await playground.setWindow(10)
  await expect(sent).not.toContainText('tool_call_id=call_old')
  await playground.setWindow(8)
  await expect(sent).toContainText('tool_call_id=call_old')
  const masked = JSON.parse((await playground.download()).toString('utf8'))
  expect(masked.messages[1].content).toContain('tool_call_id=call_old')
  expect(masked.messages[3].content).toContain('Traceback')
  await playground.button('Other templates').click()
  await page.getByRole('menuitemradio', { name: 'short' }).last().click()
  await expect(playground.button('Other templates')).toBeFocused()
  await expect(sent).toContainText('[Masked result: read_file call_old]')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect(sent).toContainText('tool_call_id=call_old')
})

test('hovering says why, and a click chooses the message in both panes', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  await openText(playground, 'talk.json')
  const sent = pane(page, 'What is sent')
  const placeholder = sent.getByText('[Observation', { exact: false }).first()
  // By the wheel: Playwright would scroll the editor's own elements, which breaks its hover.
  await sent.locator('.monaco-editor').hover()
  await page.mouse.wheel(0, 150)
  await placeholder.hover()
  const tip = page.getByRole('tooltip').filter({ hasText: 'Masked:' })
  await expect(tip).toContainText('turn 1 is older than the last 8 turns')
  await expect(tip).toContainText('read_file')
  await placeholder.click()
  await expect(pane(page, 'Conversation').locator('.mark-selected').first()).toBeVisible()
  await expect(sent.locator('.mark-selected').first()).toBeVisible()
  await expect(tip).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+I')
  await expect(tip).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(playground.output).toBeFocused()
})

test('typing changes no other bytes: CRLF, a mark, odd numbers stay', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  const text = `\ufeff${conversation().replace('"messages"', '"n": 1.0e5,\n  "messages"').replaceAll('\n', '\r\n')}`
  await openText(playground, 'crlf.json', { text, shown: '1.0e5' })
  await playground.setWindow(0)
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.insertText(' ')
  await expect(pane(page, 'Conversation')).toContainText('{ ')
  await expect
    .poll(async () => (await playground.download()).toString('utf8'))
    .toBe(text.replace('{\r\n', '{ \r\n'))
})

largeTest(
  'a pasted document is shown from its first masked result',
  async ({ page, playground }) => {
    await playground.reuse()
    const { messages } = JSON.parse(conversation(9))
    const long = [...Array(200).fill({ role: 'user', content: 'hello' }), ...messages]
    await playground.paste(JSON.stringify(long, null, 2))
    await playground.shows(/pasted.json.* 11 turns/)
    for (const name of ['Conversation', 'What is sent'] as const) {
      await expect(pane(page, name).getByText('"call_old"').last()).toBeInViewport()
    }
  },
)

test('the comparison shows both texts', async ({ page, playground }) => {
  await playground.reuse()
  await openText(playground, 'talk.json')
  const choice = page.getByRole('button', { name: 'Diff', exact: true }).filter({ visible: true })
  const before = await boxOf(choice)
  await choice.click()
  const compared = page.getByRole('region', { name: /compared/ })
  // The next quick click finds the views in their places.
  await expect(compared).toBeVisible()
  expect(Math.abs((await boxOf(choice)).x - before.x)).toBeLessThan(3)
  await expect(compared).toContainText('tool_call_id=call_old')
  await expect(compared).toContainText('a line of the file')
  await expect(compared).toContainText(/hidden lines/)
  await expect(compared.getByRole('status')).toHaveText('Change 1 of 1')
  // Another document while they are compared: the editor must not take old line numbers for the new texts.
  await playground.openBytes('long.json', Buffer.from(conversation(60)))
  await expect(compared).toContainText('tool_call_id=call_0')
  await expect(compared.getByRole('status')).toHaveText('Change 1 of 53')
  await compared.getByRole('button', { name: 'Next change' }).click()
  await expect(compared.getByRole('status')).toHaveText('Change 2 of 53')
  await compared.getByRole('textbox').last().press('p')
  await expect(compared.getByRole('status')).toHaveText('Change 1 of 53')
  await compared.getByRole('button', { name: 'Changes only' }).click()
  await expect(compared).not.toContainText(/hidden lines/)
  await playground.openBytes('talk.json', Buffer.from(conversation()))
  await expect(compared).not.toContainText('tool_call_id=call_0')
  // What it says of a text is never said of the next one, which an undo brings back.
  await playground.openBytes('plain.json', Buffer.from('[{"role":"user","content":"hello"}]'))
  await expect(compared.getByRole('status').first()).toHaveText('No changes')
  await page.evaluate(() => {
    const seen = new Set<string>()
    const look = () => {
      const header = document.querySelector('header')?.textContent ?? ''
      const compared = document.querySelector('[aria-label$="compared"] [role=status]')
      if (header.includes('talk.json')) seen.add(compared?.textContent ?? '')
      requestAnimationFrame(look)
    }
    look()
    Object.assign(globalThis, { seen })
  })
  await playground.undo('opening a transcript').click()
  await expect(compared.getByRole('status').first()).toHaveText('Change 1 of 1')
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
  expect(seen).not.toContain('No changes')
  await playground.button('Masked').click()
  await expect(compared).toHaveCount(0)
})

test('a pane is maximised by its button and by keys; the focus stays', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  const sent = pane(page, 'What is sent')
  const maximise = pane(page, 'Conversation').getByRole('button', { name: 'Maximise' })
  await maximise.click()
  await expect(sent).toBeHidden()
  await expect(maximise).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sent).toBeVisible()
  await playground.source.focus()
  await page.keyboard.press('Alt+Enter')
  await expect(sent).toBeHidden()
  await expect(playground.source).toBeFocused()
  await page.keyboard.press('Alt+Enter')
  await expect(sent).toBeVisible()
})
