import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { expectLightFirstView, watchFirstView } from './first-view'
import { expect, test } from './fixtures'
import { CORPUS, corpusFile } from './playground-page'
import { outputOf } from './run-cli'

const { step } = test

const SAMPLES = join(import.meta.dirname, '../public/samples')

test('the main task: see a masked sample, move the window, undo', async ({ page, playground }) => {
  await step(
    'a first visit opens a masked sample that saves, says what masking is, and where to paste',
    async () => {
      await watchFirstView(page)
      await playground.open('')
      await expect(playground.meters).toContainText(
        /As set, this saves \d+%.*Advanced every turn, this window costs \d+% more than not masking\. Compare/,
      )
      await expect(page.getByText('It is not redaction.')).toBeVisible()
      await expect(page.getByText('paste your own conversation over it')).toBeVisible()
      await expect(page.getByText('Observation masquée').first()).toBeVisible()
      await expect(page.getByText('The page sends nothing you paste')).toBeVisible()
    },
  )

  await step(
    'its scripts are few before the figures, and nothing moves while it loads',
    async () => {
      await expectLightFirstView(page)
      const timeline = await playground.timeline.boundingBox()
      expect((timeline?.y ?? 900) + (timeline?.height ?? 0)).toBeLessThan(300)
    },
  )

  await step('the window moves meters, timeline and download together', async () => {
    await playground.open()
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

  await step('undo and redo change settings and texts', async () => {
    await playground.setWindow(20)
    await playground.openBytes(
      'tiny.json',
      Buffer.from('[{"role":"user","content":"hello there"}]'),
    )
    await expect(page.getByRole('button', { name: /tiny\.json/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo opening a transcript' }).click()
    await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo the window' }).click()
    await expect(playground.window).toHaveValue('3')
    await page.getByRole('button', { name: 'Redo the window' }).click()
    await expect(playground.window).toHaveValue('20')
  })

  await step('the undo key works while the slider has the focus', async () => {
    await page.getByRole('slider', { name: 'Window', exact: true }).focus()
    await page.keyboard.press('End')
    await expect(playground.window).toHaveValue('70')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(playground.window).toHaveValue('20')
  })
})

test('links and samples open what they name', async ({ page, playground }) => {
  await step(
    'a link restores policy and sample; a damaged value is ignored alone and reported',
    async () => {
      await playground.open('v=1&w=3&b=4&k=nonsense&s=log-reading')
      await expect(page.getByRole('button', { name: /log-reading\.json/ })).toBeVisible()
      await expect(playground.window).toHaveValue('3')
      await expect(playground.notices).toContainText('keep_last_k_per_tool')
      await playground.setWindow(5)
      await expect(page).toHaveURL(/#v=2&w=5&b=4&s=log-reading$/)
    },
  )

  await step(
    'text parts: the page says why nothing is masked and offers to mask them',
    async () => {
      await playground.open('v=1&s=text-parts')
      const why = page.getByRole('region', { name: 'Why nothing is masked' })
      await expect(why).toContainText(/list of text parts|lists of text parts/)
      await why.getByRole('button').first().click()
      await expect(why).toBeHidden()
      const lines = (await playground.download()).toString().trim().split('\n')
      for (const line of lines) JSON.parse(line)
      expect(lines.join('')).toContain('[Observation masquée')
    },
  )

  await step('a document with several conversations has a picker', async () => {
    await playground.open('v=1&s=many-runs')
    await page.getByRole('button', { name: /1 of 7/ }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /2 of 7/ })).toBeVisible()
  })
})

test.describe('published transcripts', () => {
  test.skip(corpusFile('openai-chat') === undefined, `no published transcripts at ${CORPUS}`)

  test('published transcripts: long ones update during a drag, and downloads equal the command line', async ({
    page,
    playground,
  }) => {
    await step('267 turns dropped on the page: the slider moves everything', async () => {
      await playground.open()
      await playground.dropFile(corpusFile('openai-chat/long-parallel-calls.json') as string)
      await expect(page.getByRole('button', { name: /267 turns.*303 results/ })).toBeVisible()
      await playground.isCounted()
      const slider = page.getByRole('slider', { name: 'Window', exact: true })
      await slider.focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await expect(playground.meters).toContainText(/30[0-3] of 303/)
      await page.keyboard.press('End')
      await expect(playground.meters).toContainText('0 of 303')
    })

    await step('40 runs give a picker of 40', async () => {
      await playground.openFile(corpusFile('openai-chat/tau-bench-airline-40-runs.jsonl') as string)
      await expect(page.getByRole('button', { name: /1 of 40/ })).toBeVisible()
    })

    // A log, a list without results' names, and lines; all of them when tests are large.
    const few = [
      'inspect-orphan-results.json',
      'swe-agent-last-query.json',
      'kimi-cli-scikit-learn.jsonl',
    ]
    await playground.open('v=1&w=2&tp=1')
    for (const file of IS_LARGE ? readdirSync(join(CORPUS, 'openai-chat')) : few) {
      await step(`the download has the bytes of the command line: ${file}`, async () => {
        const path = join(CORPUS, 'openai-chat', file)
        await playground.openFile(path)
        await expect(page.getByRole('button', { name: new RegExp(file) })).toBeVisible()
        await playground.isCounted()
        const expected = await outputOf('mask', [path, '--window-turns', '2', '--text-parts'])
        expect((await playground.download()).equals(expected)).toBe(true)
      })
    }
  })
})
