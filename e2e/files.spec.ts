import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { expect, expectAccessible, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { savedBy } from './steps'

const SAMPLES = join(import.meta.dirname, '../public/samples')
const sample = (name: string) => readFileSync(join(SAMPLES, name))
const folder = mkdtempSync(join(tmpdir(), 'folder-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a folder with a few of the samples, and with all of the files among them that are not transcripts. */
function fewSamples(parent: string): string {
  const others = ['.gitattributes', 'index.json', 'formats/index.json']
  for (const name of [...others, 'log-reading.json', 'formats/openai-chat/request-body.json'])
    cpSync(join(SAMPLES, name), join(parent, 'samples', name))
  return join(parent, 'samples')
}

test('the files of a chosen folder are listed, nested ones too', async ({ page, playground }) => {
  await playground.reuse()
  const dialog = await playground.openDialog()
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a folder…' }).click()
  await (await chooser).setFiles(IS_LARGE ? SAMPLES : fewSamples(folder))
  const { files } = playground
  await expect(files).toContainText(/\d+ transcripts, 3 other files could not be read/, {
    timeout: 60_000,
  })
  // Only the rows near the view are in the page.
  const index = files.getByRole('row', { name: /samples\/index\.json/ })
  await files.getByRole('table').last().hover()
  await expect(async () => {
    if (!(await index.isVisible())) await page.mouse.wheel(0, 400)
    await expect(index).toContainText('not a transcript', { timeout: 1000 })
  }).toPass()
  const nested = files.getByRole('button', {
    name: 'samples/formats/openai-chat/request-body.json',
  })
  await nested.focus()
  await page.keyboard.press('Enter')
  await playground.shows(/: .*request-body\.json /)
  await playground.goTo(/^Files \(\d+\)$/)
  await nested.focus()
  await page.keyboard.press('Home')
  await expect(files.getByRole('button', { name: /^samples\// }).first()).toBeFocused()
})

test('dropped files and a zip: a table, and a row opens its file', async ({ page, playground }) => {
  await playground.open()
  const zip = zipSync({
    'logs/data-analysis.json': sample('data-analysis.json'),
    'readme.md': Buffer.from('# Not a transcript'),
  })
  await playground.dropFiles([
    { name: 'log-reading.json', bytes: sample('log-reading.json') },
    { name: 'many-runs.jsonl', bytes: sample('many-runs.jsonl') },
    { name: 'broken.json', bytes: Buffer.from('[{"role": "user", "content": "he') },
    { name: 'runs.zip', bytes: Buffer.from(zip) },
  ])
  const { files } = playground
  await expect(files).toContainText('3 transcripts, 2 other files could not be read')
  await playground.shows(/coding-session\.json/)
  await expect(files.getByRole('row', { name: /broken\.json/ })).toContainText('It looks cut off')
  await expect(files.getByRole('row', { name: /readme\.md/ })).toContainText('Line 1, column 1')

  // One setting for all sessions; a row for each conversation of a file; a filter limits both.
  const all = files.getByRole('region', { name: 'One setting for all sessions' })
  await expect(all).toContainText(/for all \d+ sessions saves|Do not mask: no one setting/)
  // The chart has a mark for each session, which says what it is.
  const chart = all.getByRole('img', { name: /^Cost of each session/ })
  const marks = chart.locator('g > title')
  await expect(marks.filter({ hasText: /many-runs.*, conversation \d+: \$/ })).not.toHaveCount(0)
  await expect(marks.filter({ hasText: /data-analysis\.json: \$.* → .*requests/ })).toHaveCount(1)
  // The CSV has every session, and no names unless asked for.
  const csv = all.getByRole('button', { name: 'CSV of the sessions' })
  expect((await savedBy(csv)).bytes.toString()).not.toContain('many-runs')
  await all.getByRole('checkbox', { name: 'Include file names' }).click()
  expect((await savedBy(csv)).bytes.toString()).toMatch(/^session,file,.*many-runs\.jsonl,2,/s)
  // Printing prints the page itself, as long as it is.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  for (const shown of [chart, files.getByRole('row', { name: /broken\.json/ })])
    await expect(shown).toBeVisible()
  for (const hidden of [csv, page.getByRole('banner')]) await expect(hidden).toBeHidden()
  await expect(page.locator('.printed-report')).toHaveCount(0)
  expect(await files.evaluate((element) => getComputedStyle(element).overflowY)).toBe('visible')
  await page.emulateMedia({ media: null })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await files.getByRole('button', { name: /^Conversations of .*many-runs/ }).click()
  await expect(files.getByRole('row', { name: /^Conversation 2/ })).toContainText('$')
  await files.getByRole('combobox', { name: 'Length' }).click()
  await page.getByRole('option', { name: 'More than 50 turns' }).click()
  await expect(files.getByRole('row', { name: /many-runs/ })).toBeHidden()
  await files.getByRole('button', { name: 'Clear filter' }).click()
  await files.getByRole('button', { name: 'Next request' }).click()
  await expect(files.getByRole('row', { name: /All 3 transcripts/ })).toContainText('9')

  const cells = (row: RegExp) => files.getByRole('row', { name: row }).getByRole('cell')
  const listed = await cells(/data-analysis/).allTextContents()
  const atFirst = (await cells(/log-reading/)
    .nth(5)
    .textContent()) as string
  await files.getByRole('button', { name: 'runs.zip/logs/data-analysis.json' }).click()
  await playground.shows(/data-analysis\.json OpenAI/)
  const [before, after] = listed.slice(6, 8)
  expect(before).toMatch(/^[\d,]+$/)
  await expect(playground.meters).toContainText(before as string)
  await expect(playground.meters).toContainText(after as string)

  // A change of policy reaches the table by itself.
  const masked = () => cells(/log-reading/).nth(5)
  await playground.setWindow(2)
  await playground.goTo('Files (5)')
  await expect(masked()).not.toHaveText(atFirst)

  // Keys step through the files in the order of the table.
  await files.getByRole('button', { name: 'File', exact: true }).click()
  await expect(files.getByRole('columnheader', { name: 'File', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await page.keyboard.press('{')
  await expect(page.getByText('File 2 of 3')).toBeVisible()
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(page.getByText('File 3 of 3')).toBeVisible()

  await expectAccessible(page, '#files')
})

async function dropTwo(playground: PlaygroundPage): Promise<void> {
  await playground.dropFiles([
    { name: 'a.json', bytes: sample('log-reading.json') },
    { name: 'b.json', bytes: sample('data-analysis.json') },
  ])
  await expect(playground.files).toContainText('2 transcripts')
}

test('a reload forgets the list and keeps the page', async ({ page, playground }) => {
  await playground.open()
  await dropTwo(playground)
  await page.reload()
  await expect(playground.files).toContainText('Open several files or a folder')
  await playground.shows('coding-session.json')
  await playground.goTo('Transcript')
  await expect(playground.source).toBeVisible()
})
