import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { corpusFile, PlaygroundPage } from './playground-page'

// Commands run beside the browser: a busy machine takes its time.
test.describe.configure({ timeout: 90_000 })

/** The part of the command's JSON that the page shows too. */
interface Measured {
  readonly requests: number
  readonly session_tokens_before: number
  readonly session_tokens_after: number
  readonly session_cost_before: number
  readonly session_cost_after: number
  readonly session_cost_cached_before: number
  readonly session_cost_cached_after: number
  readonly tokens_before: number
  readonly tokens_after: number
}

function bench(path: string, ...flags: readonly string[]): Measured {
  const command = ['run', '--silent', 'bench', '--', path, '--json', ...flags]
  const { stdout, status } = spawnSync('npm', command, { encoding: 'utf8', maxBuffer: 1e8 })
  expect(status).toBe(0)
  return JSON.parse(stdout) as Measured
}

class Drawer {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get opener(): Locator {
    return this.page.getByRole('button', { name: /^Savings:/ })
  }

  get panel(): Locator {
    return this.page.getByRole('region', { name: 'Savings', exact: true })
  }

  get reader(): Locator {
    return this.page.getByRole('slider', { name: 'Request to read' })
  }

  async open(): Promise<void> {
    await this.opener.click()
    await expect(this.reader).toBeVisible({ timeout: 20_000 })
    // Ready once the sweep has said what is recommended.
    await expect(this.page.getByRole('button', { name: 'Save report' })).toBeEnabled()
  }

  async saved(click: () => Promise<void>): Promise<Buffer> {
    const started = this.page.waitForEvent('download')
    await click()
    return readFileSync(await (await started).path())
  }

  async report(): Promise<string> {
    const button = this.page.getByRole('button', { name: 'Save report' })
    return (await this.saved(() => button.click())).toString()
  }

  async other(name: string): Promise<Buffer> {
    await this.page.getByRole('button', { name: 'Other formats' }).click()
    return this.saved(() => this.page.getByRole('menuitem', { name }).click())
  }
}

const dollars = (value: number, beside: number) => {
  const largest = Math.max(value, beside)
  const digits = largest >= 1 ? 2 : largest >= 0.01 ? 4 : 6
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Math.min(digits, 4),
    maximumFractionDigits: digits,
  }).format(value)
}
const whole = (value: number) => new Intl.NumberFormat('en').format(value)

const SAMPLE = join(import.meta.dirname, '../public/samples/coding-session.json')

const CASES = [
  {
    name: 'the first sample',
    path: SAMPLE,
    fragment: 'v=1&w=8',
    flags: ['--model', 'gpt-5.1', '--window-turns', '8'],
  },
  {
    name: 'a published transcript of 267 turns, in batches',
    path: corpusFile('openai-chat/long-parallel-calls.json'),
    fragment: 'v=1&w=8&b=16&tp=1',
    flags: [
      ...['--model', 'gpt-5', '--window-turns', '8'],
      ...['--batch-turns', '16', '--text-parts'],
    ],
  },
] as const

for (const { name, path, fragment, flags } of CASES) {
  test(`page, report and command line give the same numbers: ${name}`, async ({ page }) => {
    test.skip(path === undefined, 'no published transcripts')
    if (path === undefined) return
    const expected = bench(path, ...flags)
    const playground = new PlaygroundPage(page)
    await playground.open(fragment)
    await playground.openFile(path)
    const drawer = new Drawer(page)
    await expect(playground.meters).toContainText(whole(expected.session_tokens_before), {
      timeout: 20_000,
    })
    await drawer.open()
    const report = await drawer.report()
    const figures = [
      dollars(expected.session_cost_before, expected.session_cost_after),
      dollars(expected.session_cost_after, expected.session_cost_before),
      dollars(expected.session_cost_cached_before, expected.session_cost_cached_after),
      dollars(expected.session_cost_cached_after, expected.session_cost_cached_before),
      whole(expected.session_tokens_before),
      whole(expected.session_tokens_after),
      whole(expected.tokens_before),
      whole(expected.tokens_after),
    ]
    for (const figure of figures) {
      await expect(playground.meters).toContainText(figure)
      expect(report).toContain(figure)
    }
    expect(report).toContain(`${expected.requests} requests`)

    const csv = (await drawer.other('CSV of every request')).toString().trimEnd().split('\r\n')
    const header = csv[0]?.split(',') ?? []
    const totals = csv.at(-1)?.split(',') ?? []
    const total = (column: string) => Number(totals[header.indexOf(column)])
    expect(csv).toHaveLength(expected.requests + 2)
    expect(total('tokens_before')).toBe(expected.session_tokens_before)
    expect(total('tokens_after')).toBe(expected.session_tokens_after)
    expect(total('cost_before')).toBe(expected.session_cost_before)
    expect(total('cost_after')).toBe(expected.session_cost_after)
    expect(total('cost_cached_before')).toBe(expected.session_cost_cached_before)
    expect(total('cost_cached_after')).toBe(expected.session_cost_cached_after)
    expect(playground.complaints).toEqual([])
  })
}

test('the report stands alone: nothing runs, nothing is loaded, and it names nothing unasked', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const drawer = new Drawer(page)
  await drawer.open()
  const report = await drawer.report()
  expect(report).not.toMatch(/<(script|img|link|iframe)\b/)
  expect(report).not.toContain('coding-session')
  await page.getByRole('checkbox', { name: 'Name the file and its tools' }).click()
  expect(await drawer.report()).toContain('coding-session.json')

  const requests: string[] = []
  const reading = await page.context().newPage()
  reading.on('request', (request) => requests.push(request.url()))
  await reading.setContent(report)
  await expect(reading.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(reading.getByRole('img', { name: /Cost of input so far/ })).toBeVisible()
  expect(requests).toEqual([])
  const { violations } = await new AxeBuilder({ page: reading }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await reading.emulateMedia({ media: 'print' })
  const pdf = (await reading.pdf({ preferCSSPageSize: true, printBackground: true })).toString(
    'latin1',
  )
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('the other formats: Markdown, CSV of strategies, chart as SVG and as PNG', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const drawer = new Drawer(page)
  await drawer.open()
  expect((await drawer.other('Markdown')).toString()).toMatch(/^# What masking old tool results/)
  const strategies = (await drawer.other('CSV of the strategies')).toString()
  for (const id of ['everything', 'as_set', 'recommended', 'truncated', 'summarised'])
    expect(strategies).toContain(`\n${id},`)
  expect((await drawer.other('Chart as SVG')).toString()).toMatch(/^<svg [^>]*role="img"/)
  const png = await drawer.other('Chart as PNG')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(10_000)
  expect(playground.complaints).toEqual([])
})

test('the drawer is reached by keys, reads requests, follows the window and stays open', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const drawer = new Drawer(page)
  await expect(drawer.opener).toHaveAttribute('aria-expanded', 'false')
  await drawer.opener.focus()
  await page.keyboard.press('Enter')
  await expect(drawer.reader).toBeVisible()
  await drawer.reader.focus()
  await page.keyboard.press('Home')
  await expect(drawer.reader).toHaveAttribute('aria-valuetext', /^Request 1 of 72 .*tokens/)
  await page.keyboard.press('ArrowRight')
  await expect(drawer.reader).toHaveAttribute('aria-valuetext', /^Request 2 of 72/)
  await page.keyboard.press('End')
  const last = await drawer.reader.getAttribute('aria-valuetext')

  await playground.setWindow(30)
  await expect(drawer.reader).not.toHaveAttribute('aria-valuetext', last ?? '')
  await page.getByText('All requests as a table').click()
  await expect(drawer.panel.getByRole('table').first().getByRole('row')).toHaveCount(74)
  const { violations } = await new AxeBuilder({ page }).include('#savings-drawer').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])

  await page.reload()
  await expect(drawer.reader).toBeVisible({ timeout: 20_000 })
  await drawer.reader.focus()
  await page.keyboard.press('Escape')
  await expect(drawer.reader).toBeHidden()
  await expect(drawer.opener).toBeFocused()
})

test('on a narrow screen the drawer covers the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await new PlaygroundPage(page).open()
  const drawer = new Drawer(page)
  await drawer.open()
  await expect(page.getByRole('dialog', { name: 'Savings' })).toBeVisible()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Savings' })).toBeHidden()
})
