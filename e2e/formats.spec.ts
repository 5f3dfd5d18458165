import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { FORMATS, type FormatId } from '../lib/core/formats/read-document'
import { SAMPLE_FILES } from '../lib/core/testing/transcripts'
import { expect, expectAccessible, largeTest, test } from './fixtures'
import { outputOf } from './run-cli'

const SAMPLES = join(import.meta.dirname, '../public/samples')

function labelOf(id: FormatId): string {
  return FORMATS.find((format) => format.id === id)?.label ?? id
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

for (const { name, path, format } of SAMPLE_FILES) {
  if (!name.startsWith('formats/')) continue
  const run = name === 'formats/swe-agent/actions.traj' ? test : largeTest
  run(
    `${name} is chosen in the menu, and its download equals the command line's`,
    async ({ page, playground }) => {
      // The link of the page before may name the same sample.
      await playground.open('v=2&w=1&ke=0&tp=1')
      await playground.chooseSample(
        new RegExp(`^${escaped(`${labelOf(format)} ${basename(name)}`)}`),
      )
      await playground.shows(
        new RegExp(`: ${escaped(basename(name))} ${escaped(labelOf(format))} · `),
      )
      await expect(page).toHaveURL(new RegExp(`&s=${format}\\.${basename(name).split('.')[0]}`))
      const masked = await playground.download()
      const flags = ['--window-turns', '1', '--no-keep-errors', '--text-parts']
      expect(masked.equals(await outputOf('mask', [path, ...flags]))).toBe(true)
      expect(masked.toString()).toContain('[Observation masquée')
    },
  )
}

test('a format is chosen by keys, refused, and detected again', async ({ page, playground }) => {
  // A list forgets letters that come slowly, as on a busy machine.
  const typeAhead = (letters: string, option: RegExp) =>
    expect(async () => {
      await page.keyboard.type(letters)
      await expect(page.getByRole('option', { name: option })).toBeFocused({ timeout: 1000 })
    }).toPass()
  await playground.open('v=2&s=anthropic-messages.request-body')
  const { badge, formatChoice, notices } = playground
  await expect(badge).toHaveAccessibleName(
    /Anthropic Messages · request body · 35 messages · 16 turns/,
  )
  await playground.isCounted()

  await badge.focus()
  await page.keyboard.press('Enter')
  await formatChoice.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /^OpenAI chat/ })).toBeVisible()
  await expectAccessible(page, '[role=dialog], [role=listbox]')
  await typeAhead('LangC', /^LangChain/)
  await page.keyboard.press('Enter')
  await expect(notices).toContainText(
    'The format of request-body.json was not changed. This is an object with "model", "max_tokens", "system", "tools", …, not LangChain; expected a list of messages with "lc": 1',
  )
  await expect(formatChoice).toContainText('Anthropic Messages')

  await formatChoice.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /^OpenAI chat/ })).toBeVisible()
  await typeAhead('OpenAI c', /^OpenAI chat/)
  await page.keyboard.press('Enter')
  await expect(badge).toHaveAccessibleName(/OpenAI chat · .* · 0 turns · 0 results/)
  await expect(page.getByText('Chosen by you.')).toBeVisible()

  const back = page.getByRole('button', { name: 'Use the detected format' })
  await back.focus()
  await page.keyboard.press('Enter')
  await expect(badge).toHaveAccessibleName(
    /Anthropic Messages · request body · 35 messages · 16 turns/,
  )
  await expect(back).toBeHidden()
  await page.keyboard.press('Escape')
  await playground.undo('choosing the format').click()
  await expect(badge).toHaveAccessibleName(/OpenAI chat/)
  await playground.undo('choosing the format').click()
  await expect(badge).toHaveAccessibleName(/Anthropic Messages/)
  const whole = readFileSync(join(SAMPLES, 'formats/anthropic-messages/request-body.json'))
  await playground.setWindow(1000)
  expect((await playground.download()).equals(whole)).toBe(true)
})
