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
import { boxOf, enter, savedBy } from './steps'

async function openLoop(playground: PlaygroundPage): Promise<void> {
  await playground.reuseSample()
  await playground.openLoop('Repeated calls')
  await expect(playground.findings).toBeVisible()
}

test('repeated calls are counted, listed, and found in the panes', async ({ page, playground }) => {
  await playground.open()
  await playground.found.getByRole('link', { name: /^21 calls repeat an earlier one/ }).click()
  const { findings, loop, timeline } = playground
  await expect(loop).toContainText('The transcript has no times')
  await expect(loop).toContainText('6 of 150')

  await expect(findings.getByTitle('48 turns later').first()).toBeVisible()
  // Arguments of which only the first 80 characters are kept.
  await expect(findings).toContainText(/grep -E '…/)
  await expectAccessibleInBoth(page, 'main')
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  const messages = timeline.getByRole('slider', { name: 'Messages' })
  await expect(messages).toHaveAttribute('aria-valuetext', /^Message 160 of 225/)
  await expect(page.getByText('1821', { exact: true }).first()).toBeVisible()
})

test('the table of results selects, sorts, filters and is saved', async ({ page, playground }) => {
  await openLoop(playground)
  const { findings, timeline } = playground
  const messages = timeline.getByRole('slider', { name: 'Messages' })
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  const results = await playground.show('Results')
  const table = page.getByRole('table', { name: 'Tool results' })
  await expect(table).toHaveAttribute('aria-rowcount', '151')
  const rowOf = (name: string) => table.getByRole('button', { name, exact: true }).first()
  await expect(rowOf('Turn 50, run_command')).toBeInViewport()
  expect(await table.getByRole('row').count()).toBeLessThan(60)
  await page.setViewportSize({ width: 1024, height: 768 })
  const rows = results.locator('[data-rows]')
  await expect.poll(async () => (await boxOf(rows)).height).toBeGreaterThan(180)
  await page.setViewportSize({ width: 1440, height: 900 })
  await table.getByRole('button', { name: 'Tokens' }).click()
  await table.locator('tbody button[tabindex="0"]').press('Home')
  await expect(table.locator('[aria-current]')).toHaveAccessibleName('Turn 2, run_command')
  await expect(messages).toHaveAttribute(
    'aria-valuetext',
    /run_command · turn 2 · 3,120 → \d+ tokens$/,
  )
  await expect(table.locator('[aria-current]')).toBeFocused()

  await results.getByRole('button', { name: 'By tool' }).click()
  await results.getByRole('button', { name: 'grep', exact: true }).click()
  await expect(table).toHaveAttribute('aria-rowcount', '3')
  await expect(results.getByRole('status')).toContainText('2 of 150 results')
  await expect(results).toContainText('The filters hide the selected result.')
  const { bytes } = await savedBy(results.getByRole('button', { name: 'Save CSV' }))
  expect(bytes.toString().trimEnd().split('\r\n')).toHaveLength(3)
  await expectAccessible(page, '[aria-label="Results"]')
})

test('a guard and its limit are set, kept, and reset', async ({ page, playground }) => {
  await openLoop(playground)
  const guards = playground.loop.getByRole('button', { name: /^Guards/ })
  await guards.click()
  const same = playground.guard('Same call again')
  await expect(same).toContainText('would stop 6 calls')
  const turns = same.getByRole('textbox', { name: 'Within' })
  await enter(turns, '70')
  await expect(same).not.toContainText('would stop 6 calls')
  await expect(playground.loop).not.toContainText('6 of 150')
  await turns.fill('7,5')
  await expect(same).toContainText('“7,5” is not a whole number. The value is still 70.')
  await same.getByRole('switch').click()
  await expect(playground.loop).toContainText('0 of 150')
  await expect(playground.loop).not.toContainText('masked session')
  await expect(playground.findings).toBeVisible()
  await page.reload()
  await expect(playground.loop).toContainText('0 of 150', { timeout: 30_000 })
  await guards.click()
  await expect(same.getByRole('switch')).not.toBeChecked()
  await playground.loop.getByRole('button', { name: 'Reset' }).click()
  await expect(playground.loop).toContainText('6 of 150')
  await expect(same.getByRole('textbox')).toHaveValue('3')
})

test('a tool has an address; the document stays, there and back', async ({ page, playground }) => {
  await playground.open('v=2&w=3')
  await playground.openLoop('Simulator')
  expect(page.url()).toMatch(/\/tools\?tool=simulator#v=2&w=3$/)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Simulator' })).toHaveAttribute('aria-current')
  await playground.shows('coding-session.json')
  await playground.goTo('Transcript')
  await expect(playground.window).toHaveValue('3')
  await playground.follow('v=2&w=5')
  await expect(playground.window).toHaveValue('5')
  await page.goBack()
  await expect(playground.window).toHaveValue('3')
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Simulator' })).toHaveAttribute('aria-current')
})

largeTest('nothing repeats, or nothing can: it says so', async ({ page, playground }) => {
  await playground.reuse()
  const call = (id: string) => turnOf(id, 'text', 'read', JSON.stringify({ path: id }))
  const once = [{ role: 'user', content: 'Go on.' }, ...call('1'), ...call('2')]
  await playground.openText('once.json', once)
  await playground.openLoop('Repeated calls')
  await expect(playground.loop).toContainText('No repeated calls.')
  await expect(playground.loop).toContainText('2 calls in 2 turns')
  await expect(playground.found).toBeHidden()
  await playground.openBytes('none.json', Buffer.from('[{"role":"user","content":"hello"}]'))
  await expect(playground.loop).toContainText('This conversation has no tool turn')
  const error = { role: 'tool', content: 'Error: no such file' }
  const errors = ['1', '2', '3'].map((id) => ({ ...error, tool_call_id: id }))
  await playground.openBytes('errors.json', Buffer.from(JSON.stringify(errors)))
  await expect(playground.found).toContainText('1 other finding in the calls')
  await expect(playground.found).toContainText('1 kind of problem that providers reject')
  await expect(playground.findings).toContainText('Same error again')
  await expectAccessible(page, 'main')

  const checks = await playground.openLoop('Checks')
  await expect(checks).toContainText('3 results answer no call.')
  await expect(checks).toContainText('The masked text equals its source')
  await expectAccessible(page, 'main')
  const rules = await playground.openLoop('Error rules')
  await expect(rules.locator('mark')).toHaveText(['Error', 'Error', 'Error'])
  await expectAccessible(page, 'main')
})

largeTest('on a phone a finding leads to its message', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await openLoop(playground)
  const { loop, findings } = playground
  await loop.getByRole('button', { name: /^Guards/ }).click()
  await expect(playground.guard('Same call again')).toContainText('would stop 6 calls')
  await expectAccessibleInBoth(page, 'main')
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  await expect(page.getByRole('article', { name: /^Message 160 of 225/ })).toBeVisible()
  await expectFitsPage(page)
})
