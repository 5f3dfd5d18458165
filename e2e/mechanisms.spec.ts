import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createFormatter } from 'use-intl/core'
import { figureFormat } from '../lib/core/report/figure-format'
import {
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectFitsPage,
  expectSeenInForcedColours,
  largeTest,
  PHONE,
  test,
} from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { outputOf } from './run-cli'
import { boxOf, enter, expectOnePage, savedBy } from './steps'

const SAMPLES = join(import.meta.dirname, '../public/samples')
const SAMPLE = join(SAMPLES, 'coding-session.json')
const { money, change, number } = figureFormat(createFormatter({ locale: 'en', timeZone: 'UTC' }))

const contentOf = ({ content }: { content: unknown }) => content
const withoutContent = (message: { role: string }) =>
  message.role === 'tool' ? { ...message, content: '' } : message

interface Figures {
  readonly session_cost_cached: number
  readonly lost_uses: number
  readonly rewrites: number
  readonly rewritten_tokens: number
  readonly peak_tokens: number
}

interface Compared {
  readonly session_cost_cached_before: number
  readonly mechanisms: readonly (Figures & {
    readonly id: string
    readonly label: string
    readonly settings: object
    readonly best: Figures
    readonly best_settings: object
    readonly keeping: Figures | null
    readonly keeping_settings: object
  })[]
}

/** Shows the comparison, and waits until it says what to do. */
async function shown(playground: PlaygroundPage) {
  const { page } = playground
  await playground.show('Cost')
  await page.getByRole('button', { name: 'All mechanisms', exact: true }).click()
  const view = page.getByRole('region', { name: 'All mechanisms', exact: true })
  await expect(view.getByRole('heading')).toContainText(
    /Of the settings tried that keep 95% of the later uses, .+ costs least: −[\d.]+%/,
    { timeout: 60_000 },
  )
  return view
}

test('page and command line compare mechanisms with the same numbers', async ({
  page,
  playground,
}) => {
  const sample = join(SAMPLES, 'log-reading.json')
  const flags = ['--mechanisms', '--json']
  const expected = JSON.parse((await outputOf('bench', [sample, ...flags])).toString()) as Compared
  await playground.reuse()
  await playground.openFile(sample)
  await playground.isCounted()
  const view = await shown(playground)
  await page.getByRole('button', { name: 'Maximise', exact: true }).last().click()
  const before = expected.session_cost_cached_before
  for (const { id, label, best, ...byDefault } of expected.mechanisms) {
    // The page has the policy in use, and recommends by its own rule.
    if (id === 'schema1') continue
    const rows = view.locator('tbody').filter({ hasText: `${label} by default` })
    for (const [at, figures] of [byDefault, best].entries()) {
      const cost = figures.session_cost_cached
      if (at === 1 && cost === byDefault.session_cost_cached) continue
      const row = rows.getByRole('row').nth(at)
      await expect(row, id).toContainText(`${change(before, cost)}${money(cost, before)}`)
      await expect(row.getByRole('cell').last(), id).toHaveText(number(figures.peak_tokens))
      await expect(row.getByRole('cell').nth(4), id).toHaveText(number(figures.rewrites))
    }
  }
})

/** Lists samples, and compares the mechanisms on them. */
async function comparedFiles(playground: PlaygroundPage, names: readonly string[]) {
  await playground.dropFiles(
    names.map((name) => ({ name, bytes: readFileSync(join(SAMPLES, name)) })),
  )
  const { files } = playground
  await expect(files).toContainText(`${names.length} transcripts`)
  const view = files.getByRole('region', { name: 'All mechanisms' }).first()
  const compare = view.getByRole('button', { name: 'Compare all mechanisms' })
  const progress = view.getByRole('progressbar')
  await compare.click()
  // It can be stopped, and goes on.
  await expect(progress).toBeVisible()
  await view.getByRole('button', { name: 'Stop comparing' }).click()
  await expect(progress).toBeHidden()
  await compare.click()
  await expect(progress).toBeVisible()
  await expect(progress).toBeHidden({ timeout: 120_000 })
  await expect(compare).toBeHidden()
  await expect(
    view.getByRole('heading', { name: /^Of the settings tried that keep/ }),
  ).toBeVisible()
  return view
}

largeTest(
  'page and command line compare mechanisms on many files with the same numbers',
  async ({ playground }) => {
    const names = ['coding-session.json', 'data-analysis.json', 'many-runs.jsonl']
    const flags = [...names.map((name) => join(SAMPLES, name)), '--mechanisms', '--json']
    const expected = JSON.parse((await outputOf('bench', flags)).toString()) as Compared
    await playground.open()
    const view = await comparedFiles(playground, names)
    const before = expected.session_cost_cached_before
    for (const { id, label, settings, best, keeping, ...rest } of expected.mechanisms) {
      const shown: (readonly [settings: object, figures: Figures])[] = [[settings, rest]]
      const add = (set: object, figures: Figures | null) => {
        const isShown = shown.some(([other]) => isDeepStrictEqual(other, set))
        if (figures !== null && !isShown) shown.push([set, figures])
      }
      add(rest.best_settings, best)
      add(rest.keeping_settings, keeping)
      const rows = view
        .locator('tbody')
        .filter({ hasText: `${label} by default` })
        .getByRole('row')
      await expect(rows, id).toHaveCount(shown.length)
      for (const [at, [, figures]] of shown.entries()) {
        const cost = figures.session_cost_cached
        const { lost_uses: lost, rewrites, rewritten_tokens: again, peak_tokens: peak } = figures
        const cells = await rows.nth(at).getByRole('cell').allTextContents()
        expect([...cells.slice(0, 2), ...cells.slice(3)], `${id} ${at}`).toEqual([
          change(before, cost),
          money(cost, before),
          ...[lost, rewrites, again, peak].map(number),
        ])
      }
    }
    await expectAccessible(playground.page, '#files')
  },
)

test('settings of a mechanism are tried and taken away in the words of its vendor', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  const view = await shown(playground)
  await view.getByRole('button', { name: /^Try Anthropic clear_tool_uses, .*keep=1$/ }).click()
  const detail = page.getByRole('region', {
    name: 'Anthropic clear_tool_uses, in place of the policy',
  })
  await expect(detail).toContainText('$0.1456 (−47%) · 26 forgotten')
  await enter(detail.getByRole('textbox', { name: 'keep', exact: true }), '20')
  await expect(detail).toContainText('$0.4112 (+49%) · 19 forgotten')
  const names = detail.getByRole('textbox', { name: 'exclude_tools' })
  await enter(names, 'read_file,,')
  await page.keyboard.press('Tab')
  const refusal = detail.getByText('exclude_tools is "read_file,,"; expected a list of tool names.')
  await expect(refusal).toBeVisible()
  await expect(detail).toContainText('$0.4112 (+49%) · 19 forgotten')
  await enter(names, 'read_file, run_tests')
  await page.keyboard.press('Tab')
  await expect(refusal).toHaveCount(0)
  const block = detail.getByRole('textbox', { name: /^Preview: body of a Messages request/ })
  await expect(block).toHaveValue(/"read_file",\s*"run_tests"/)
  expect(JSON.parse(await block.inputValue())).toMatchObject({
    context_management: {
      edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 20 } }],
    },
  })
  // A link opens the view with the same settings.
  await expect(page).toHaveURL(/o=mechanisms.*read_file/)
  const link = new URL(page.url()).hash.slice(1)
  await playground.open()
  await playground.reuse(link)
  await expect(detail).toContainText('$0.4915 (+78%) · 5 forgotten', { timeout: 60_000 })
  await expect(block).toHaveValue(/"read_file",\s*"run_tests"/)
  await detail.getByRole('button', { name: 'Default' }).click()
  await expect(detail).toContainText('$0.2768 (0%) · nothing forgotten')
  await expectAccessibleInBoth(page)
})

test('a mechanism in the policy panel takes the place of the policy everywhere', async ({
  page,
  playground,
}) => {
  await playground.reuseSample('v=2')
  const menu = page.getByRole('combobox', { name: 'Mechanism' })
  const choose = async (name: string) => {
    await menu.click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  const verdict = page.getByRole('region', { name: 'Verdict' }).getByRole('heading')
  await expect(verdict).toHaveText(/^Masking/)
  const before = await verdict.textContent()
  await choose('Anthropic clear_tool_uses')
  await expect(verdict).toHaveText('Anthropic clear_tool_uses: changes nothing in this session.')
  await page.getByRole('button', { name: 'Cheapest here' }).click({ timeout: 60_000 })
  await expect(verdict).toHaveText('Anthropic clear_tool_uses: saves 47%, 26 results forgotten.')
  await expect(page.getByRole('button', { name: '149 changed' })).toBeVisible()
  await expect(page.getByText('[Old tool result content cleared]').first()).toBeVisible()
  await expectAccessibleInBoth(page)
  const saved = await savedBy(page.getByRole('button', { name: 'Download', exact: true }))
  const source = JSON.parse(readFileSync(SAMPLE, 'utf8'))
  const sent = JSON.parse(saved.bytes.toString())
  // It is what the command line prints, in the form of the file.
  const flags = ['--mechanism', 'anthropic-clear-tool-uses', '--set', 'trigger.input_tokens=10000']
  const printed = await outputOf('mask', [SAMPLE, ...flags, '--set', 'keep=1'])
  const results = (body: typeof source) =>
    body.messages.filter(({ role }: { role: string }) => role === 'tool').map(contentOf)
  expect(results(sent)).toEqual(results(JSON.parse(printed.toString())))
  expect({ ...sent, messages: sent.messages.map(withoutContent) }).toEqual({
    ...source,
    messages: source.messages.map(withoutContent),
  })

  // The curve over its main setting sets it, by a key or a press; each is one step.
  const curve = page.getByRole('slider', { name: 'Cost by keep of Anthropic clear_tool_uses' })
  await expect(curve).toHaveAttribute('aria-valuetext', /^keep 1 · \$[\d.]+ · −47%$/)
  const field = page.getByRole('textbox', { name: 'keep', exact: true })
  const isSet = async (keep: string) => {
    const all = [...flags, '--set', `keep=${keep}`, '--json']
    const { mechanisms, ...before } = JSON.parse(
      (await outputOf('bench', [SAMPLE, ...all])).toString(),
    )
    const { session_cost_cached: cost } = mechanisms[0]
    const saved = change(before.session_cost_cached_before, cost)
    await expect(curve).toHaveAttribute(
      'aria-valuetext',
      `keep ${keep} · ${money(cost)} · ${saved}`,
    )
    await expect(field).toHaveValue(keep)
  }
  await curve.press('End')
  await isSet('450')
  await curve.press('PageDown')
  await isSet('100')
  const place = await boxOf(curve)
  await page.mouse.click(place.x + (place.width * 7) / 22, place.y + place.height / 2)
  await isSet('10')
  await page.mouse.move(place.x + place.width / 2, place.y + 9)
  await page.mouse.down()
  await page.mouse.move(place.x + 2, place.y + 9, { steps: 5 })
  await expect(curve).toHaveAttribute('aria-valuetext', /^keep 1 /)
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('10')
  await page.mouse.up()
  for (const keep of ['100', '450', '1']) {
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect(field).toHaveValue(keep)
  }

  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const shared = page.getByRole('region', { name: 'Settings link' })
  await expect(shared).toContainText('Anthropic clear_tool_uses')
  await expect(shared).toContainText('the mechanism that is tried, with its settings')
  await page.keyboard.press('Escape')

  // A request that the text of the file cannot show is written anew, as the command line prints it.
  await choose('AI SDK pruneMessages')
  await page.getByRole('button', { name: 'Cheapest here' }).click({ timeout: 60_000 })
  await expect(page.getByText(/^The last request as AI SDK pruneMessages sends it/)).toBeVisible()
  await expect(page).toHaveURL(/before-last-\d+-messages/)
  const found = new URL(page.url()).hash.slice(1)
  const { settings } = JSON.parse(new URLSearchParams(found).get('h') ?? '')
  const sets = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  const request = await savedBy(page.getByRole('button', { name: 'Download', exact: true }))
  const ids = ['--mechanism', 'ai-sdk-prune-messages']
  const sentText = (await outputOf('mask', [SAMPLE, ...ids, ...sets])).toString()
  expect(request.bytes.toString()).toBe(sentText)
  const sentEditor = page.getByRole('region', { name: 'What is sent' }).locator('.view-lines')
  await expect(sentEditor.filter({ visible: true })).toContainText(
    'You are a careful software engineer',
  )
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  await expect(page.getByText('left out', { exact: true }).first()).toBeVisible()
  // It is compared with the same request without the mechanism.
  await page.getByRole('button', { name: 'Diff', exact: true }).click()
  const difference = page.getByRole('region', { name: 'Conversation and what is sent, compared' })
  await expect(difference.getByText(/^The last request as AI SDK pruneMessages/)).toBeVisible()
  await expect(difference.locator('.line-delete').first()).toBeVisible()
  await difference.getByRole('button', { name: 'Next change' }).click()
  await expectAccessibleInBoth(page)
  await difference.getByRole('button', { name: 'Masked', exact: true }).click()
  const table = await playground.show('Results')
  await expect(table).toContainText(/\d+ of 150 results are changed/)
  await expect(table.getByRole('cell', { name: /^Changed/ }).first()).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(verdict).toHaveText('AI SDK pruneMessages: changes nothing in this session.')
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(menu).toContainText('Schema 1 masking')
  await expect(verdict).toHaveText(before ?? '')
})

test('all sessions of a file under a mechanism come to what the command line says', async ({
  page,
  playground,
}) => {
  const file = join(SAMPLES, 'many-runs.jsonl')
  const flags = ['--mechanism', 'swe-agent-last-n', '--json']
  const expected = JSON.parse((await outputOf('bench', [file, ...flags])).toString()) as Compared
  await playground.reuse()
  await playground.openFile(file)
  await playground.isCounted()
  await page.getByRole('combobox', { name: 'Mechanism' }).click()
  await page.getByRole('option', { name: 'SWE-agent last_n_observations', exact: true }).click()
  const before = expected.session_cost_cached_before
  const [
    { session_cost_cached: cost, lost_uses: lost } = { session_cost_cached: 0, lost_uses: 0 },
  ] = expected.mechanisms
  const sum = `${money(before, before)} → ${money(cost, before)} (${change(before, cost)}), ${lost} later uses lost.`
  await expect(page.getByText(/^All \d+ sessions of the file: /)).toContainText(sum)
  // The text has what the mechanism changes in each of them.
  const saved = await savedBy(page.getByRole('button', { name: 'Download', exact: true }))
  const lines = saved.bytes.toString().trimEnd().split('\n')
  const cleared = lines.filter((line) => line.includes('Old environment output: ('))
  expect(cleared.length).toBeGreaterThan(1)
  expect(lines.length).toBe(readFileSync(file, 'utf8').trimEnd().split('\n').length)
  await page.getByRole('button', { name: 'Diff', exact: true }).click()
  await expectAccessible(page)
  // Its long lines wrap again after another view.
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  await page.getByRole('button', { name: 'Diff', exact: true }).click()
  const left = page.locator('.monaco-diff-editor .editor.original')
  await expect(left.locator('.view-line').first()).toBeVisible()
  const hasWideLine = (pane: Element) =>
    [...pane.querySelectorAll('.view-line > span')].some(
      (line) => line.getBoundingClientRect().width > pane.getBoundingClientRect().width,
    )
  await expect.poll(() => left.evaluate(hasWideLine)).toBe(false)
})

test('the table is a picture without the transcript, and is in the report', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  await page.getByRole('button', { name: 'Presets', exact: true }).click()
  await page.getByRole('button', { name: 'compare all mechanisms' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const view = await shown(playground)
  const picture = view.getByRole('button', { name: 'Picture' })
  await expect(picture).toBeEnabled({ timeout: 60_000 })
  const advice = (await view.getByRole('heading', { level: 2 }).textContent()) ?? ''
  expect(advice).toContain('costs least')
  await picture.click()
  const svg = await savedBy(page.getByRole('menuitem', { name: 'Save as SVG' }))
  expect(svg.bytes.toString()).toContain('Anthropic clear_tool_uses')
  expect(svg.bytes.toString()).not.toMatch(/coding-session|read_file/)
  await picture.click()
  const png = await savedBy(page.getByRole('menuitem', { name: 'Save as PNG' }))
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  await expectSeenInForcedColours(page, async () => {
    await picture.click()
    return (await savedBy(page.getByRole('menuitem', { name: 'Save as SVG' }))).bytes.toString()
  })
  // The block to copy leads there; the view stays the one that was open.
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  const dialog = await playground.useIt()
  await dialog.getByRole('tab', { name: 'LangChain', exact: true }).click()
  await dialog.getByRole('button', { name: 'Try these settings on this session' }).click()
  await expect(page.getByRole('region', { name: /^LangChain\.js .*in place/ })).toBeVisible()
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  const views = page.getByRole('group', { name: 'View of what is sent' })
  await views.getByRole('button', { name: 'Cost', exact: true }).click()
  await expect(picture).toBeVisible()
  // The mechanism that was opened takes the place of the policy, in the report too.
  await page.getByRole('group', { name: 'What is compared' }).getByRole('button').first().click()
  const report = await savedBy(page.getByRole('button', { name: 'Save report' }))
  expect(report.bytes.toString()).toMatch(
    /Mechanisms that no other beats[\s\S]*Truncation of long results/,
  )
  const reading = await page.context().newPage()
  await reading.setContent(report.bytes.toString())
  await expectOnePage(reading)
  for (const sentence of advice.split(/(?<=\.) (?=[A-Z])/))
    await expect(reading.locator('body')).toContainText(sentence)
  await reading.close()
})

test.describe('on a phone', () => {
  test.use(PHONE)
  largeTest('the table and the settings fit', async ({ page, playground }) => {
    await playground.reuse()
    const view = await shown(playground)
    await view.getByRole('button', { name: 'Try Truncation of long results' }).click()
    await page.getByRole('button', { name: 'Policy', exact: true }).click()
    await expect(page.getByRole('textbox', { name: /^Preview: No vendor/ })).toHaveValue(
      /--mechanism truncate/,
    )
    await expectFitsPage(page)
  })

  largeTest('the table of all files fits', async ({ page, playground }) => {
    await playground.open()
    const view = await comparedFiles(playground, ['data-analysis.json', 'log-reading.json'])
    await expect(view.getByRole('row', { name: /^Nothing changed/ })).toContainText('0%')
    await expectFitsPage(page)
  })
})
