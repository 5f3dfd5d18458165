import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const SAMPLES = join(import.meta.dirname, '../public/samples')

test('a first visit opens a masked sample that saves, and says why', async ({ playground }) => {
  const { page } = playground
  await playground.open('')
  await expect(playground.meters).toContainText(/Masking.* saves \d+%, at worst [\d.]+%\.\s*Why\?/)
  await expect(page.getByText('a sample: paste yours over it')).toBeVisible()
  await expect(page.getByText('Observation masquée').first()).toBeVisible()
  await expect(page.getByText('The page sends nothing you paste')).toBeVisible()
  await playground.button('Why?').click()
  await expect(page.getByRole('dialog')).toContainText('It is not redaction.')
  const timeline = await playground.timeline.boundingBox()
  expect((timeline?.y ?? 900) + (timeline?.height ?? 0)).toBeLessThan(400)
})

test('the window moves meters, timeline and download together', async ({ playground }) => {
  await playground.reuseSample()
  await expect(playground.meters).toContainText('130 of 150')
  const whole = readFileSync(join(SAMPLES, 'coding-session.json'))
  await playground.setWindow(70)
  await expect(playground.meters).toContainText('0 of 150')
  expect((await playground.download()).equals(whole)).toBe(true)
  await playground.setWindow(3)
  await expect(playground.timeline).toContainText(/1\d\d masked/)
  const masked = await playground.download()
  expect(masked.length).toBeLessThan(whole.length)
  expect(masked.toString()).toContain('[Observation masquée')
})

test('masked results that an optional rule would keep are offered in one press', async ({
  page,
  playground,
}) => {
  await playground.reuseSample('v=2&w=8')
  await expect(
    page.getByText(/^By rules that are off, \d+ results look like an error/),
  ).toBeVisible()
  const before = await playground.meters.textContent()
  await page.getByRole('button', { name: 'keep them', exact: true }).click()
  await expect(page.getByText('rules that are off')).toHaveCount(0)
  await expect(playground.meters).not.toHaveText(String(before))
  await expect(page.getByTitle(/Tool results: [\d,]+ of [\d,]+ characters/)).toBeVisible()
})

test('the undo key works while the slider has the focus', async ({ page, playground }) => {
  await playground.reuseSample('v=2&w=20')
  await page.getByRole('slider', { name: 'Keep last N turns', exact: true }).focus()
  await page.keyboard.press('End')
  await expect(playground.window).toHaveValue('70')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(playground.window).toHaveValue('20')
})

test('a document with several conversations has a picker', async ({ page, playground }) => {
  await playground.reuse('v=1&s=many-runs')
  const picker = page.getByRole('combobox', { name: /^Conversations: / })
  await expect(picker).toHaveText(/1 of 7/)
  await picker.click()
  await expect(page.getByRole('option')).toHaveCount(7)
  await page.keyboard.type('median')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(picker).toHaveText(/2 of 7/)
})

test('a tool that is kept costs what the list of forgotten results said', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  const list = page.getByRole('dialog', { name: /^Forgotten/ })
  const opener = playground.timeline.getByRole('button', { name: /forgotten/ })
  const row = list.getByRole('listitem').first()
  await opener.click()
  await expect(row).toContainText('$')
  // One opens while the other one closes.
  await page.getByRole('button', { name: 'Presets' }).click()
  await expect(page.getByRole('dialog', { name: 'Presets' })).toContainText('★')
  await opener.click()
  await expect(row).toContainText('$')
  const [cost = ''] = /\$[\d.]+/.exec((await row.textContent()) ?? '') ?? []
  await expect(playground.timeline).not.toContainText(`${cost} · `)
  await row.getByRole('button', { name: /^Keep all of/ }).click()
  await expect(playground.timeline).toContainText(`${cost} · `)
  await page.keyboard.press('Escape')
  await playground.button(/^Undo/).click()
  await expect(playground.timeline).toContainText('+67%')
})
