import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { zipSync } from 'fflate'
import { corpusFile, PlaygroundPage } from './playground-page'

const SAMPLES = join(import.meta.dirname, '../public/samples')
const sample = (name: string) => readFileSync(join(SAMPLES, name))

test('a packed file opens as the plain one does', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('log-reading.json.gz', gzipSync(sample('log-reading.json')))
  await expect(page.getByRole('button', { name: /log-reading\.json,/ })).toBeVisible()
  await playground.isCounted()
  await playground.setWindow(1000)
  expect((await playground.download()).equals(sample('log-reading.json'))).toBe(true)
  expect(playground.complaints).toEqual([])
})

test('three files and a zip dropped: a table of totals, and a row opens its file', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
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
  await expect(files).toContainText('3 transcripts, 2 other files are none or cannot be read')
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await expect(files.getByRole('row', { name: /broken\.json/ })).toContainText('It looks cut off')
  await expect(files.getByRole('row', { name: /readme\.md/ })).toContainText('Line 1, column 1')
  await expect(files.getByRole('row', { name: /All 3 transcripts/ })).toContainText('9')

  const cells = (row: RegExp) => files.getByRole('row', { name: row }).getByRole('cell')
  const listed = await cells(/data-analysis/).allTextContents()
  await files.getByRole('button', { name: 'runs.zip/logs/data-analysis.json' }).click()
  await expect(page.getByRole('button', { name: /data-analysis\.json, OpenAI/ })).toBeVisible()
  const [before, after] = listed.slice(6, 8)
  expect(before).toMatch(/^[\d,]+$/)
  await expect(playground.meters).toContainText(before as string)
  await expect(playground.meters).toContainText(`${after} tokens`)

  // A change of policy reaches the table by itself.
  const masked = () => cells(/log-reading/).nth(5)
  const atFirst = (await masked().textContent()) as string
  await playground.setWindow(2)
  await expect(masked()).not.toHaveText(atFirst)

  // From file to file by keys, in the order of the table.
  await files.getByRole('button', { name: 'File', exact: true }).click()
  await expect(files.getByRole('columnheader', { name: 'File', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await page.keyboard.press('{')
  await expect(page.getByRole('button', { name: /^File 2 of 3/ })).toBeVisible()
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(page.getByRole('button', { name: /^File 3 of 3/ })).toBeVisible()

  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await files.getByRole('button', { name: 'Close the list of files' }).click()
  await expect(files).toBeHidden()
  expect(playground.complaints).toEqual([])
})

test('a folder is chosen: its files are listed by their paths, nested ones too', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('button', { name: 'More ways to open' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: /^Open a folder/ }).click()
  await (await chooser).setFiles(SAMPLES)
  const { files } = playground
  await expect(files).toContainText(/\d+ transcripts, 3 other files are none/, { timeout: 60_000 })
  await expect(files.getByRole('row', { name: /samples\/index\.json/ })).toContainText(
    'no conversation',
  )
  const nested = files.getByRole('button', {
    name: 'samples/formats/openai-chat/request-body.json',
  })
  await nested.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /: .*request-body\.json, / })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(files.getByRole('button', { name: /^samples\// }).first()).toBeFocused()
})

test('the table is copied for a spreadsheet', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.dropFiles([
    { name: 'a.json', bytes: sample('log-reading.json') },
    { name: 'b.json', bytes: sample('data-analysis.json') },
  ])
  await expect(playground.files).toContainText('2 transcripts')
  await playground.files.getByRole('button', { name: 'Copy CSV' }).click()
  await expect(playground.notices).toContainText('Copied the table: 2 files and the totals.')
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\r\n')
  expect(lines.map((line) => line.split(',')[0])).toEqual(['file', 'a.json', 'b.json', 'all'])
})

test('an archive that unpacks to more than is opened gets a sentence, and the page stays usable', async ({
  page,
}) => {
  test.slow()
  const playground = new PlaygroundPage(page)
  await playground.open()
  const bomb = gzipSync(gzipSync(Buffer.alloc(320_000_000)))
  await playground.openBytes('bomb.json.gz', bomb)
  await expect(playground.notices).toContainText(/past 300 MB/, { timeout: 60_000 })
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await playground.setWindow(3)
  await expect(playground.timeline).toContainText(/1\d\d masked/)
})

test.describe('published logs', () => {
  const log = corpusFile('other/inspect-ais-decoder.eval')
  test.skip(log === undefined, 'no published transcripts here')

  test('a log of Inspect, zstd inside, opens as its files', async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.openFile(log as string)
    const { files } = playground
    // With one transcript in it, that one is opened and the list is put away.
    const opened = page.getByRole('button', { name: /^File 1 of 1/ })
    await expect(files.getByText(/^\d transcripts/).or(opened)).toBeVisible({ timeout: 20_000 })
    if (await opened.isVisible()) await opened.click()
    await files.getByRole('button', { name: /1_epoch_1\.json$/ }).click()
    await expect(page.getByRole('button', { name: /: .*1_epoch_1\.json, / })).toBeVisible()
    // The log's header is a file of its own, without samples.
    await expect(playground.files.getByRole('row', { name: /header\.json/ })).toContainText(
      'the header of a log has none',
    )
    expect(playground.complaints).toEqual([])
  })
})
