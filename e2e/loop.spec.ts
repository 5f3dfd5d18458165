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
import { enter, savedBy } from './steps'

async function openLoop(playground: PlaygroundPage): Promise<void> {
  await playground.reuseSample()
  await playground.drawerOpener('Tool calls').click()
  await expect(playground.findings).toBeVisible()
}

test('repeated calls are counted, listed, and found in the panes', async ({ page, playground }) => {
  await playground.open()
  await expect(playground.drawerOpener('Tool calls')).toHaveText(/21 repeats/)
  await playground.drawerOpener('Tool calls').click()
  const { findings, loop, timeline } = playground
  await expect(loop).toContainText('The transcript has no times')
  await expect(loop).toContainText('6 of 150')

  await expect(findings.getByTitle('48 turns later').first()).toBeVisible()
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  const messages = timeline.getByRole('slider', { name: 'Messages' })
  await expect(messages).toHaveAttribute('aria-valuetext', /^Message 160 of 225/)
  await expect(page.getByText('1821', { exact: true }).first()).toBeVisible()

  await expectAccessibleInBoth(page, '#loop-drawer')
})

test('the table of results selects, sorts, filters and is saved', async ({ page, playground }) => {
  await openLoop(playground)
  const { findings, timeline } = playground
  const messages = timeline.getByRole('slider', { name: 'Messages' })
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  await playground.drawerOpener('Tool calls').click()
  const results = await playground.show('Results')
  const table = page.getByRole('table', { name: 'Tool results' })
  await expect(table).toHaveAttribute('aria-rowcount', '151')
  const rowOf = (name: string) => table.getByRole('button', { name, exact: true }).first()
  await expect(rowOf('Turn 50, run_command')).toBeInViewport()
  expect(await table.getByRole('row').count()).toBeLessThan(60)
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
  await expectAccessible(page, '#results')
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

test('Escape closes the drawer and restores the focus', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  await playground.drawerOpener('Tool calls').click()
  await playground.findings.hover()
  for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, 1_000)
  await expect(playground.loop.getByText(/^Found in 150 calls/)).toBeInViewport()
  const edge = page.getByRole('separator', { name: 'Height of the two texts' })
  const height = async () => Math.round((await playground.loop.boundingBox())?.height ?? 0)
  const [before, lower] = [Number(await edge.getAttribute('aria-valuenow')), await height()]
  await edge.press('ArrowUp')
  await expect
    .poll(async () => Number(await edge.getAttribute('aria-valuenow')))
    .toBeLessThan(before)
  const higher = await height()
  expect(higher).toBeGreaterThan(lower)
  await page.reload()
  await expect.poll(async () => Math.abs((await height()) - higher)).toBeLessThan(3)
  await playground.loop.getByRole('button', { name: /^Guards/ }).focus()
  await page.keyboard.press('Escape')
  await expect(playground.loop).toBeHidden()
  await expect(playground.drawerOpener('Tool calls')).toBeFocused()
  await playground.drawerOpener('Tool calls').click()
})

largeTest('nothing repeats, or nothing can: it says so', async ({ page, playground }) => {
  await playground.reuse()
  const call = (id: string) => turnOf(id, 'text', 'read', JSON.stringify({ path: id }))
  const once = [{ role: 'user', content: 'Go on.' }, ...call('1'), ...call('2')]
  await playground.openText('once.json', once)
  await playground.openLoop('Repeated calls')
  await expect(playground.loop).toContainText('No repeated calls.')
  await expect(playground.loop).toContainText('2 calls in 2 turns')
  await expect(playground.drawerOpener('Tool calls')).toHaveAccessibleName('Tool calls: no repeats')
  await playground.openBytes('none.json', Buffer.from('[{"role":"user","content":"hello"}]'))
  await expect(playground.loop).toContainText('This conversation has no tool turn')
  const error = { role: 'tool', content: 'Error: no such file' }
  const errors = ['1', '2', '3'].map((id) => ({ ...error, tool_call_id: id }))
  await playground.openBytes('errors.json', Buffer.from(JSON.stringify(errors)))
  const opener = playground.drawerOpener('Tool calls')
  await expect(opener).toHaveAccessibleName('Tool calls: 1 finding, 1 problem')
  await expect(playground.findings).toContainText('Same error again')
  await expectAccessible(page, '#loop-drawer')

  const checks = await playground.openLoop('Checks')
  await expect(checks).toContainText('3 results answer no call.')
  await expect(checks).toContainText('The masked text equals its source')
  const place = checks.getByRole('button', { name: 'message 2' })
  await place.click()
  await expect(place).toHaveAttribute('aria-current', 'true')
  await expectAccessible(page, '#loop-drawer')
  const rules = await playground.openLoop('Error rules')
  await expect(rules.locator('mark')).toHaveText(['Error', 'Error', 'Error'])
  await expectAccessible(page, '#loop-drawer')
  await playground.openLoop('Repeated calls')
})

largeTest('on a phone the list is a sheet that closes', async ({ page, playground }) => {
  await openLoop(playground)
  await page.setViewportSize(PHONE)
  const { loop, findings } = playground
  await expect(findings).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.locator('#loop-drawer')).toContainText('Found in 150 calls')
  await page.setViewportSize(PHONE)
  await loop.getByRole('button', { name: /^Guards/ }).click()
  await expect(playground.guard('Same call again')).toContainText('would stop 6 calls')
  await expectAccessibleInBoth(page, '[role="dialog"]')
  await loop.getByRole('button', { name: /^Guards/ }).click()
  await findings.getByRole('button', { name: 'turn 50', exact: true }).first().click()
  await expect(loop).toBeHidden()
  await expect(page.getByRole('article', { name: /^Message 160 of 225/ })).toBeVisible()
  await expectFitsPage(page)
})
