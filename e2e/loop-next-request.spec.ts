import type { Locator } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, expectAccessibleInBoth, expectFitsPage, largeTest, PHONE, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { savedBy } from './steps'

/** Three turns, and a call that waits for its result. */
const PENDING = JSON.stringify({
  model: 'gpt-5.1',
  messages: [
    { role: 'user', content: 'What is in the files?' },
    ...['a', 'b', 'c'].flatMap((id) =>
      turnOf(id, `A line of file ${id}.\n`.repeat(40), 'read_file'),
    ),
    turnOf('d', '', 'read_file')[0],
  ],
})

async function openPending(playground: PlaygroundPage, part: 'Next request' | 'Simulator') {
  await playground.reuse()
  await playground.openBytes('session.json', Buffer.from(PENDING))
  await expect(playground.meters).toContainText('3 tool results')
  await playground.setWindow(1)
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

test('a built request is one draft, saved, opened as a document', async ({ page, playground }) => {
  const loop = await openPending(playground, 'Next request')
  await expect(loop).toContainText('3 placeholders in the request')
  await expect(loop).toContainText('the request states that it was not run')
  const json = await copied(playground, loop.getByRole('button', { name: 'Copy JSON' }))
  await loop.getByRole('button', { name: 'Save as conversation' }).click()
  await expect(playground.notices).toContainText('Updated session.next-request.json under Recent.')
  const recent = await playground.openDialog()
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

  await playground.openLoop('Simulator')
  const tool = loop.getByRole('group', { name: 'Behaviour of read_file' })
  await tool.getByRole('button', { name: 'Never answers' }).click()
  await loop.getByRole('button', { name: 'Step' }).click()
  const happened = loop.getByRole('table').first()
  await expect(happened).toContainText('in 15.000 s')
  await loop.getByRole('button', { name: '+5 min' }).click()
  await tool.getByRole('button', { name: 'Answers', exact: true }).click()
  await loop.getByRole('textbox', { name: 'Answer of read_file' }).fill('the fourth file')
  await loop.getByRole('button', { name: 'Run batch 2' }).click()
  await expect(happened).toContainText('the fourth file')
})

largeTest('both fit a phone', async ({ page, playground }) => {
  const loop = await openPending(playground, 'Next request')
  await page.setViewportSize(PHONE)
  await expect(loop.getByRole('button', { name: 'Copy JSON' })).toBeVisible()
  await expectAccessibleInBoth(page, 'main')
  await playground.openLoop('Simulator')
  await loop.getByRole('button', { name: 'Run batch 1' }).click()
  await expect(loop.getByRole('table').first()).toContainText('read_file')
  await expectAccessibleInBoth(page, 'main')
  await expectFitsPage(page)
})
