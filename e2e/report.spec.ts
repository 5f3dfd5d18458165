import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { createFormatter } from 'use-intl/core'
import { figureFormat } from '../lib/core/report/figure-format'
import { expect, expectAccessible, expectFitsPage, largeTest, PHONE, test } from './fixtures'
import { PlaygroundPage } from './playground-page'
import { outputOf } from './run-cli'
import { expectOnePage, savedBy } from './steps'

/** The command's figures, which the page shows too. */
async function bench(path: string, ...flags: readonly string[]) {
  const output = await outputOf('bench', [path, '--json', ...flags])
  return JSON.parse(output.toString()) as Record<string, number> & { readonly requests: number }
}

class Cost {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get chart(): Locator {
    return this.page.getByRole('img', { name: 'With prompt caching' })
  }

  async open(): Promise<void> {
    await new PlaygroundPage(this.page).show('Cost')
    await expect(this.chart).toBeVisible({ timeout: 60_000 })
    // The page is ready once the sweep has given a recommendation.
    await expect(this.page.getByRole('button', { name: 'Save report' })).toBeEnabled()
  }

  async report(): Promise<string> {
    return (await savedBy(this.page.getByRole('button', { name: 'Save report' }))).bytes.toString()
  }

  async other(name: string): Promise<Buffer> {
    await this.page.getByRole('button', { name: 'Other formats' }).click()
    return (await savedBy(this.page.getByRole('menuitem', { name }))).bytes
  }
}

const { money, number } = figureFormat(createFormatter({ locale: 'en', timeZone: 'UTC' }))

const SAMPLE = join(import.meta.dirname, '../public/samples/coding-session.json')

test('page, report and command line give the same numbers', async ({ page, playground }) => {
  const expected = await bench(SAMPLE, '--model', 'gpt-5.1', '--window-turns', '8')
  const of = (name: string) => expected[name] ?? Number.NaN
  await playground.reuse('v=1&w=8')
  await playground.openFile(SAMPLE)
  const cost = new Cost(page)
  await expect(playground.meters).toContainText(number(of('tokens_before')), {
    timeout: 20_000,
  })
  await cost.open()
  const report = await cost.report()
  const pairs = (name: string) => [of(`${name}_before`), of(`${name}_after`)] as const
  const figures = [
    ...['session_cost', 'session_cost_cached']
      .map(pairs)
      .flatMap(([a, b]) => [money(a, b), money(b, a)]),
    ...['session_tokens', 'tokens'].flatMap(pairs).map((value) => number(value)),
  ]
  for (const figure of figures) expect(report).toContain(figure)
  const shown = [
    ...pairs('session_cost_cached').map((value) => money(value)),
    number(of('tokens_after')),
  ]
  for (const figure of shown) await expect(playground.meters).toContainText(figure)
  expect(report).toContain(`${expected.requests} requests`)

  const csv = (await cost.other('CSV of every request')).toString().trimEnd().split('\r\n')
  const header = csv[0]?.split(',') ?? []
  const totals = csv.at(-1)?.split(',') ?? []
  const total = (column: string) => Number(totals[header.indexOf(column)])
  expect(csv).toHaveLength(expected.requests + 2)
  for (const name of ['tokens', 'cost', 'cost_cached'])
    for (const side of ['before', 'after'])
      expect(total(`${name}_${side}`)).toBe(of(`session_${name}_${side}`))
})

test('the report loads and runs nothing, and names nothing unasked', async ({ playground }) => {
  const { page } = playground
  await playground.reuseSample()
  const cost = new Cost(page)
  await cost.open()
  const report = await cost.report()
  expect(report).not.toMatch(/<(script|img|link|iframe)\b/)
  expect(report).not.toContain('coding-session')
  const names = page.getByRole('checkbox', { name: 'Include file and tool names' })
  await names.click()
  expect(await cost.report()).toContain('coding-session.json')
  await names.click()

  const requests: string[] = []
  const reading = await page.context().newPage()
  reading.on('request', (request) => requests.push(request.url()))
  await reading.setContent(report)
  await expect(reading.getByRole('heading', { level: 1 })).toBeVisible()
  for (const name of ['With prompt caching', 'Without caching'])
    await expect(reading.getByRole('img', { name })).toBeVisible()
  expect(requests).toEqual([])
  await expectAccessible(reading, 'html')
  await expectOnePage(reading)

  await page.getByRole('button', { name: 'Français' }).click()
  const inFrench = page.getByRole('button', { name: 'Enregistrer le rapport' })
  await reading.setContent((await savedBy(inFrench)).bytes.toString())
  await expectOnePage(reading)
  await page.getByRole('button', { name: 'English' }).click()

  await reading.emulateMedia({ media: 'screen' })
  await reading.setViewportSize(PHONE)
  await expectFitsPage(reading)
  const scrolled = await reading.evaluate(
    () =>
      [...document.querySelectorAll('main *')].filter(
        (element) => getComputedStyle(element).overflowX === 'auto',
      ).length,
  )
  expect(scrolled).toBe(0)
  await expectAccessible(reading, 'html')
  // A page behind another one is drawn once a second.
  await reading.close()
})

test('printing the page prints the report instead of the views', async ({ page, playground }) => {
  await playground.reuseSample()
  // What is printed has the figures that are there.
  await expect(page.getByRole('region', { name: 'Verdict' })).toHaveAttribute('aria-busy', 'false')
  const report = page.getByRole('heading', { level: 1, name: /^Masking old tool results/ })
  const fire = (event: string) => page.evaluate((name) => dispatchEvent(new Event(name)), event)
  await fire('beforeprint')
  await page.emulateMedia({ media: 'print' })
  await expect(report).toBeVisible()
  await expect(playground.meters).toBeHidden()
  await page.emulateMedia({ media: null })
  await fire('afterprint')
  await expect(report).toHaveCount(0)
  await expect(playground.meters).toBeVisible()
})

test('the other formats: Markdown, CSV, chart as SVG and PNG', async ({ page, playground }) => {
  await playground.reuse()
  const cost = new Cost(page)
  await cost.open()
  expect((await cost.other('Markdown')).toString()).toMatch(/^# Masking old tool results/)
  expect((await cost.other('Chart as SVG')).toString()).toMatch(/^<svg [^>]*role="img"/)
  const png = await cost.other('Chart as PNG')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(10_000)
})

test('the cost on a phone passes, and scrolls vertically only', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await playground.reuse()
  await new Cost(page).open()
  await expectAccessible(page, '[aria-label="Cost"]')
  await expectFitsPage(page)
})

largeTest('the cost is reached by keys, and stays open', async ({ page, playground }) => {
  await playground.reuseSample()
  const cost = new Cost(page)
  await page.getByRole('button', { name: 'Masked', exact: true }).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key)
  await expect(cost.chart).toBeVisible()
  await page.getByText('Table of all requests').click()
  await expect(
    page
      .getByRole('region', { name: 'Cost', exact: true })
      .getByRole('table')
      .first()
      .getByRole('row'),
  ).toHaveCount(73)
  await expectAccessible(page, '[aria-label="Cost"]')

  await page.reload()
  await expect(cost.chart).toBeVisible({ timeout: 20_000 })
})
