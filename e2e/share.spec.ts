import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { unzipSync } from 'fflate'
import { PlaygroundPage } from './playground-page'

/** Letters and digits of no key of anyone's. */
const letters = (length: number) =>
  Array.from({ length }, (_, index) => 'aZ3kQ9xR7mB2'[(index * 7 + (index >> 2)) % 12]).join('')

const KEY = `sk-${'ant'}-api03-${letters(60)}`

function turn(id: string, content: string): object[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const OWN = JSON.stringify([
  { role: 'user', content: 'begin' },
  ...turn('a', `the key\n${KEY}\nand the words of the sender`),
  ...turn('b', 'done'),
])

const CONFIG = `[server]
port = 1 # kept

[observation_masking.schema1]
enabled = true
window_turns = 5 # the window
colour = "red"
`

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).exclude('.monaco-editor').analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the link holds settings only, says how long it is, and restores them', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&s=many-runs&c=3')
  await expect(page.getByRole('button', { name: /3 of 7/ })).toBeVisible()
  await playground.setWindow(3)
  await playground.share()
  const link = page.getByRole('textbox', { name: 'Link with the settings' })
  await expect(link).toHaveValue(/#v=2&w=3&s=many-runs&c=3$/)
  const text = await link.inputValue()
  await expect(
    page.getByText(`Settings only, no transcript. ${text.length} characters`),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(playground.notices).toContainText('settings only, no transcript')
  expect(await clipboard(page)).toBe(text)
})

test('a choice can be gone back from, a drag leaves no entry of its own', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('slider', { name: 'Window', exact: true }).focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/#v=2&w=12$/)
  const length = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Diff' }).click()
  await expect(page).toHaveURL(/#v=2&w=12&o=diff$/)
  expect(await page.evaluate(() => history.length)).toBe(length + 1)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Masked', pressed: true })).toBeVisible()
  await expect(playground.window).toHaveValue('12')
  await expect(playground.notices).not.toContainText('link')
})

test('going back to the entry the page was opened with, or to a link, says nothing', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&w=6')
  await page.getByRole('button', { name: 'Diff' }).click()
  await expect(page).toHaveURL(/o=diff$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Masked', pressed: true })).toBeVisible()
  await expect(playground.notices).not.toContainText('link')
  await page.evaluate(() => {
    location.hash = '#v=2&w=3'
  })
  await expect(playground.window).toHaveValue('3')
  await playground.notices.getByRole('button', { name: 'Dismiss' }).click()
  await page.goBack()
  await expect(playground.window).toHaveValue('6')
  await page.goForward()
  await expect(playground.window).toHaveValue('3')
  await expect(playground.notices).not.toContainText('link')
})

test('a link of 10,000 characters of rubbish is said in a few words, and not carried on', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('A%!8&='.repeat(1_700))
  await expect(playground.notices).toContainText('cannot be read')
  const notices = await playground.notices.textContent()
  expect(notices?.length).toBeLessThan(600)
  await playground.share()
  const link = await page.getByRole('textbox', { name: 'Link with the settings' }).inputValue()
  expect(link).toMatch(/#v=2$/)
})

test("a link to the default policy sets it over a reader's own", async ({ page, context }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.share()
  const link = await page.getByRole('textbox', { name: 'Link with the settings' }).inputValue()
  await page.keyboard.press('Escape')
  await playground.openBytes('mine.json', Buffer.from(OWN))
  await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  await playground.setWindow(3)
  await playground.isKept()
  await page.close()
  const reader = new PlaygroundPage(await context.newPage())
  await reader.open(new URL(link).hash.slice(1))
  await expect(reader.page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  await expect(reader.window).toHaveValue('8')
  await expect(reader.notices).toContainText('now apply to what is open here')
})

test("a link pasted over one's own transcript keeps it, and can be taken back", async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('mine.json', Buffer.from(OWN))
  await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  await page.evaluate(() => {
    location.hash = '#v=2&w=1&s=log-reading'
  })
  await expect(playground.notices).toContainText('now apply to what is open here')
  await expect(playground.window).toHaveValue('1')
  await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  await page.getByRole('button', { name: 'Go back to the settings before' }).click()
  await expect(playground.window).toHaveValue('8')
})

test('a transcript travels in a link, its secret redacted; the sender keeps the text', async ({
  page,
  browser,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&w=1')
  await playground.openBytes('mine.json', Buffer.from(OWN))
  await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  await playground.share()
  await page.getByRole('button', { name: 'With transcript…' }).click()
  const dialog = page.getByRole('dialog', { name: 'A link with the transcript' })
  await expect(dialog).toContainText('One thing in it looks like a secret')
  await expect(dialog).toContainText('Anthropic key')
  await expect(dialog).toContainText(/\d+ characters/)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: /Anthropic key/ }).click()
  await expect(dialog).toContainText('They go along as they are.')
  await dialog.getByRole('button', { name: 'Redact all' }).click()
  await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Copy link with transcript' }).click()
  await expect(playground.notices).toContainText('with the transcript in it')
  const link = await clipboard(page)
  expect(playground.complaints).toEqual([])

  const reader = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const other = new PlaygroundPage(await reader.newPage())
  await other.page.goto(link)
  await other.isCounted()
  await expect(other.page.getByRole('button', { name: /from-a-link/ })).toBeVisible()
  const masked = (await other.download()).toString()
  expect(masked).toContain('tool_call_id=a')
  expect(masked).not.toContain(KEY)
  expect(other.complaints).toEqual([])
  await reader.close()
})

test('a session file says what looks like a secret in it, and redacts what is ticked', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('mine.json', Buffer.from(OWN))
  await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
  expect((await playground.saveSession()).toString()).toContain(KEY)
  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog', { name: 'Save the session as a file' })
  await dialog.getByRole('textbox', { name: 'Notes' }).fill(`made with ${KEY}`)
  await expect(dialog).toContainText('2 places')
  await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).not.toBeChecked()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Redact all' }).click()
  const started = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^Save .*\.masking\.json$/ }).click()
  const file = readFileSync(await (await started).path(), 'utf8')
  expect(file).not.toContain(KEY)
  expect(JSON.parse(file).notes).toMatch(/^made with REDACTED-1\*+$/)
})

test('exports are copied as shown; a config is read, and written back into', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.share()
  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take the policy away' })
  await dialog.getByRole('tab', { name: 'LangChain' }).click()
  await expect(dialog).toContainText('It counts results, not turns')
  const preview = dialog.getByRole('textbox', { name: 'Preview: observation-masking.ts' })
  await expect(preview).toHaveValue(/ClearToolUsesEdit/)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(playground.notices).toContainText('Copied: LangChain')
  expect(await clipboard(page)).toBe(await preview.inputValue())
  expect(await violations(page)).toEqual([])

  await dialog.getByRole('tab', { name: 'TOML config' }).click()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'config.toml',
    mimeType: 'application/toml',
    buffer: Buffer.from(CONFIG),
  })
  await expect(dialog).toContainText('The policy of config.toml applies now.')
  await expect(dialog).toContainText(
    'Line 7: [observation_masking.schema1] has no setting "colour"',
  )
  const whole = dialog.getByRole('textbox', { name: 'Preview: config.toml' }).last()
  await expect(whole).toHaveValue(CONFIG)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
  await expect(playground.window).toHaveValue('5')
})

test('a preset is taken, compared with the policy before, and both go into the link', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const strip = page.getByRole('region', { name: 'Comparison of two policies' })
  await expect(strip).toContainText('A is the policy as it is now')
  await page.getByRole('button', { name: 'Presets' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Use SWE-agent' }).click()
  await expect(strip).toContainText('Window 8 → 5')
  await expect(strip).toContainText(/[\d,]+ tokens → [\d,]+ tokens/)
  await expect(strip).toContainText(/\$[\d.]+ → \$[\d.]+/)
  await expect(page).toHaveURL(/#v=2&w=5&ke=0&p=[^&]+&a=1$/)
  expect(await violations(page)).toEqual([])
  await strip.getByRole('button', { name: /decided otherwise/ }).click()
  await page
    .getByRole('button', { name: /^Show turn \d+/ })
    .first()
    .click()
  await strip.getByRole('button', { name: 'End comparison' }).click()
  await expect(strip).toBeHidden()
})

test('a fixture is a zip of input, policy, expected output and decisions', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&s=log-reading')
  const masked = await playground.download()
  await playground.share()
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save fixture' }).click()
  const file = await started
  expect(file.suggestedFilename()).toBe('log-reading.fixture.zip')
  const files = unzipSync(readFileSync(await file.path()))
  expect(Buffer.from(files['expected.json'] as Uint8Array).equals(masked)).toBe(true)
  expect(Object.keys(files)).toContain('decisions.json')
})

test('sharing fits a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&a=1&w=3')
  await playground.share()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByRole('tab', { name: 'Vercel AI SDK' }).click()
  await expect(page.getByRole('textbox', { name: /^Preview/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})
