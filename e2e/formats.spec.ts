import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FORMATS } from '../lib/core/formats/read-document'
import type { FormatId } from '../lib/core/formats/reading/format'
import { PUBLISHED_PROBLEMS, publishedCountsOf } from '../lib/core/testing/published-counts'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { CORPUS_FILES, SAMPLE_FILES, type TranscriptFile } from '../lib/core/testing/transcripts'
import { expect, expectAccessible, test } from './fixtures'
import { CORPUS, type PlaygroundPage } from './playground-page'
import { outputOf } from './run-cli'

const { step } = test

const SAMPLES = join(import.meta.dirname, '../public/samples')

/** A plain object, lines, and a file in an archive; every published file when tests are large. */
const OPENED = IS_LARGE
  ? CORPUS_FILES
  : CORPUS_FILES.filter(
      ({ name, packed }, index, files) =>
        ['codex/session-small.jsonl', 'gemini/multimodal-return.json'].includes(name) ||
        (packed !== undefined && files[index - 1]?.packed === undefined),
    )

/** One sample of each kind of file; every sample when tests are large. */
const CHOSEN = SAMPLE_FILES.filter(
  ({ name }) =>
    name.startsWith('formats/') &&
    (IS_LARGE ||
      [
        'formats/openai-chat/network-panel.har',
        'formats/claude-code/session.jsonl',
        'formats/langfuse/trace.json',
        'formats/swe-agent/actions.traj',
      ].includes(name)),
)

test.describe('published transcripts', () => {
  test.skip(!existsSync(CORPUS), `no published transcripts at ${CORPUS}`)

  test('published files open under their right format, long ones with progress', async ({
    page,
    playground,
  }) => {
    await playground.open()

    const table: Record<string, string | number>[] = []
    for (const file of OPENED) {
      await step(`${file.name} opens by itself with the counts published`, async () => {
        table.push(await openPublished(playground, file))
      })
    }
    console.table(table)
    await expect(playground.notices.getByRole('alert')).toHaveCount(0)

    await step('a table of damaged arguments is not a conversation', async () => {
      await playground.openFile(join(CORPUS, 'malformed-json', 'cases.jsonl'))
      await expect(page.getByTestId('source').getByRole('alert')).toContainText(
        'lines of JSON, but not a conversation',
      )
    })

    await step('the longest session is read while its progress is shown', async () => {
      const progress = page.getByText(/^Reading, \d+%$/).waitFor()
      await playground.openFile(join(CORPUS, 'claude-code/session-long.jsonl'))
      await progress
      await playground.shows(/session-long\.jsonl Claude Code session/)
    })
  })
})

/** Opens a file and compares its facts on the page with the published counts; returns them as a row. */
async function openPublished(playground: PlaygroundPage, file: TranscriptFile) {
  const { name, path, packed, format } = file
  const started = Date.now()
  await playground.openFile(packed === undefined ? path : join(CORPUS, packed.archive))
  const shownName =
    packed === undefined ? basename(name) : name.slice(dirname(packed.archive).length + 1)
  // A folder is an element of its own, after which a name has a space.
  const folderAndName = escaped(shownName).replace(/\/(?=[^/]*$)/, '/ ')
  await playground.shows(new RegExp(`: ${folderAndName} ${escaped(labelOf(format))} · `))
  const milliseconds = Date.now() - started
  const summary = (await playground.badge.textContent()) ?? ''
  const numbers = {
    conversations: numberBefore('conversation', summary) ?? 1,
    messages: numberBefore('message', summary),
    'tool turns': numberBefore('turn', summary),
    results: numberBefore('result', summary),
  }
  const published = publishedCountsOf(file)
  expect(published, `${name} has a row in the README`).toBeDefined()
  for (const [column, number] of Object.entries(numbers)) {
    const stated = published?.[column as keyof typeof numbers]
    // A row may leave a count out.
    if (stated !== undefined) expect(number, `${column} of ${name}`).toBe(stated)
  }
  const problems = numberBefore('problem', summary) ?? 0
  expect(problems, `problems of ${name}`).toBe(PUBLISHED_PROBLEMS[name]?.length ?? 0)
  const { 'tool turns': turns = 0, results = 0 } = numbers
  return { file: name, format: labelOf(format), turns, results, problems, milliseconds }
}

/** The number before a noun: `1,732 messages`. */
function numberBefore(noun: string, text: string): number | undefined {
  const [, number] = new RegExp(`(?:^|[^\\d,])([\\d,]+) ${noun}s?(?= ·|$|\\d)`).exec(text) ?? []
  return number === undefined ? undefined : Number(number.replaceAll(',', ''))
}

function labelOf(id: FormatId): string {
  return FORMATS.find((format) => format.id === id)?.label ?? id
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

test('samples chosen in the menu: downloads equal the command line', async ({
  page,
  playground,
}) => {
  await playground.open('v=2&w=1&ke=0&tp=1')
  for (const { name, path, format } of CHOSEN) {
    await step(name, async () => {
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
    })
  }
})

test('a format is chosen by keys, refused with its sentence, and reset to the detected one', async ({
  page,
  playground,
}) => {
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
  await expectAccessible(page)
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
