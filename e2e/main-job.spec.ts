import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { CORPUS, corpusFile, PlaygroundPage } from './playground-page'

const SAMPLES = join(import.meta.dirname, '../public/samples')

test('the page opens on a masked sample, says what masking is, and where to paste', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await expect(playground.meters).toContainText('130 of 150')
  await expect(page.getByText('It is not redaction.')).toBeVisible()
  await expect(page.getByText('paste your own conversation over it on the left')).toBeVisible()
  await expect(page.getByText('Observation masquée').first()).toBeVisible()
  await expect(page.getByText('Nothing you paste leaves this page')).toBeVisible()
  expect(playground.complaints).toEqual([])
})

test('the window moves meters, timeline and download together', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
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

test('undo and redo take settings and texts back and forth', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.setWindow(20)
  await playground.openBytes('tiny.json', Buffer.from('[{"role":"user","content":"hello there"}]'))
  await expect(page.getByRole('button', { name: /tiny\.json/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo opening a transcript' }).click()
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo the window' }).click()
  await expect(playground.window).toHaveValue('8')
  await page.getByRole('button', { name: 'Redo the window' }).click()
  await expect(playground.window).toHaveValue('20')
})

test('the undo key works while the slider has the focus', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('slider', { name: 'Window', exact: true }).focus()
  await page.keyboard.press('End')
  await expect(playground.window).toHaveValue('70')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(playground.window).toHaveValue('8')
})

test('a link restores policy and sample; a damaged value is ignored alone and reported', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=1&w=3&b=4&k=nonsense&s=log-reading')
  await expect(page.getByRole('button', { name: /log-reading\.json/ })).toBeVisible()
  await expect(playground.window).toHaveValue('3')
  await expect(playground.notices).toContainText('keep_last_k_per_tool')
  await playground.setWindow(5)
  await expect(page).toHaveURL(/#v=2&w=5&b=4&s=log-reading$/)
})

test('text parts: the page says why nothing is masked and offers to mask them', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=1&s=text-parts')
  const why = page.getByRole('region', { name: 'Why nothing is masked' })
  await expect(why).toContainText(/list of text parts|lists of text parts/)
  await why.getByRole('button').first().click()
  await expect(why).toBeHidden()
  const lines = (await playground.download()).toString().trim().split('\n')
  for (const line of lines) JSON.parse(line)
  expect(lines.join('')).toContain('[Observation masquée')
})

test('a document with several conversations has a picker', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=1&s=many-runs')
  await page.getByRole('button', { name: /1 of 7/ }).click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /2 of 7/ })).toBeVisible()
})

test.describe('published transcripts', () => {
  test.skip(corpusFile('openai-chat') === undefined, `no published transcripts at ${CORPUS}`)

  test('267 turns dropped on the page: the slider moves everything', async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.dropFile(corpusFile('openai-chat/long-parallel-calls.json') as string)
    await expect(page.getByRole('button', { name: /267 turns.*303 results/ })).toBeVisible({
      timeout: 20_000,
    })
    await playground.isCounted()
    const slider = page.getByRole('slider', { name: 'Window', exact: true })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect(playground.meters).toContainText(/30[0-3] of 303/)
    await page.keyboard.press('End')
    await expect(playground.meters).toContainText('0 of 303')
  })

  test('40 runs give a picker of 40', async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.openFile(corpusFile('openai-chat/tau-bench-airline-40-runs.jsonl') as string)
    await expect(page.getByRole('button', { name: /1 of 40/ })).toBeVisible({ timeout: 20_000 })
  })

  const folder = join(CORPUS, 'openai-chat')
  const files = corpusFile('openai-chat') === undefined ? [] : readdirSync(folder)
  for (const file of files) {
    test(`the page's download and the command line give the same bytes: ${file}`, async ({
      page,
    }) => {
      const playground = new PlaygroundPage(page)
      await playground.open('v=1&w=2&tp=1')
      await playground.openFile(join(folder, file))
      await expect(page.getByRole('button', { name: new RegExp(file) })).toBeVisible({
        timeout: 20_000,
      })
      await playground.isCounted()
      const flags = ['--window-turns', '2', '--text-parts']
      const command = ['run', '--silent', 'mask', '--', join(folder, file), ...flags]
      const { stdout, status } = spawnSync('npm', command, { maxBuffer: 1e8 })
      expect(status).toBe(0)
      expect((await playground.download()).equals(stdout)).toBe(true)
    })
  }
})
