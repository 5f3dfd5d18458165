import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import type { FormatId } from '../lib/core/formats/format'
import { FORMATS } from '../lib/core/formats/read-document'
import { PUBLISHED_PROBLEMS, publishedCountsOf } from '../lib/core/testing/published-counts'
import { CORPUS_FILES, SAMPLE_FILES, type TranscriptFile } from '../lib/core/testing/transcripts'
import { CORPUS, corpusFile, PlaygroundPage } from './playground-page'

const SAMPLES = join(import.meta.dirname, '../public/samples')

test.describe('published transcripts', () => {
  test.skip(!existsSync(CORPUS), `no published transcripts at ${CORPUS}`)

  test('every file of corpus/ opens by itself in the page under its right format', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    const playground = new PlaygroundPage(page)
    await playground.open()
    const table: Record<string, string | number>[] = []
    for (const file of CORPUS_FILES) {
      await test.step(file.name, async () => {
        table.push(await openPublished(playground, file))
      })
    }
    console.table(table)
    await expect(playground.notices.getByRole('alert')).toHaveCount(0)
    const opened = CORPUS_FILES.map(({ name, packed }) => packed?.archive ?? name)
    const others = filesBelow(CORPUS).filter((name) => !opened.includes(name))
    // A table of damaged arguments, and the README.
    expect(others).toEqual(['README.md', 'malformed-json/cases.jsonl'])
    await playground.openFile(join(CORPUS, 'malformed-json', 'cases.jsonl'))
    await expect(page.getByTestId('source').getByRole('alert')).toContainText(
      'lines of JSON, but no conversation',
    )
    expect(playground.complaints).toEqual([])
  })

  test('the longest session is read while its progress is shown', async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    const progress = page.getByText(/^Reading, \d+ %$/).waitFor({ timeout: 20_000 })
    const started = Date.now()
    await playground.openFile(corpusFile('claude-code/session-long.jsonl') as string)
    await progress
    await expect(playground.badge).toHaveAccessibleName(
      /session-long\.jsonl, Claude Code session/,
      {
        timeout: 20_000,
      },
    )
    console.log(`session-long.jsonl was read after ${Date.now() - started} ms`)
  })
})

/** Opens a file and holds what the page says of it against what is published; gives a row of the table. */
async function openPublished(playground: PlaygroundPage, file: TranscriptFile) {
  const { name, path, packed, format } = file
  const started = Date.now()
  await playground.openFile(packed === undefined ? path : join(CORPUS, packed.archive))
  const shownName =
    packed === undefined ? basename(name) : name.slice(dirname(packed.archive).length + 1)
  await expect(playground.badge).toHaveAccessibleName(
    new RegExp(`: ${escaped(shownName)}, ${escaped(labelOf(format))}, `),
    { timeout: 20_000 },
  )
  const milliseconds = Date.now() - started
  const summary = (await playground.badge.getAttribute('aria-label')) ?? ''
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

/** The number a noun stands behind: `1,732 messages`. */
function numberBefore(noun: string, text: string): number | undefined {
  const [, number] = new RegExp(`, ([\\d,]+) ${noun}s?(?:,|$)`).exec(text) ?? []
  return number === undefined ? undefined : Number(number.replaceAll(',', ''))
}

function labelOf(id: FormatId): string {
  return FORMATS.find((format) => format.id === id)?.label ?? id
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

test('each sample of each format, chosen in the menu, is downloaded masked as the command line masks it', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&w=1&ke=0&tp=1')
  const files = SAMPLE_FILES.filter(({ name }) => name.startsWith('formats/'))
  expect(new Set(files.map(({ format }) => format))).toEqual(new Set(FORMATS.map(({ id }) => id)))
  for (const { name, path, format } of files) {
    await test.step(name, async () => {
      const expected = maskedByCommand(path)
      await playground.chooseSample(
        new RegExp(`^${escaped(`${labelOf(format)} ${basename(name)}`)}`),
      )
      await expect(playground.badge).toHaveAccessibleName(
        new RegExp(`: ${escaped(basename(name))}, ${escaped(labelOf(format))}, `),
      )
      await expect(page).toHaveURL(new RegExp(`&s=${format}\\.${basename(name).split('.')[0]}`))
      const masked = await playground.download()
      expect(masked.equals(await expected)).toBe(true)
      expect(masked.toString()).toContain('[Observation masquée')
    })
  }
  expect(playground.complaints).toEqual([])
})

/** What the command line prints of a file with everything old masked. */
function maskedByCommand(path: string): Promise<Buffer> {
  const flags = ['--window-turns', '1', '--no-keep-errors', '--text-parts']
  const child = spawn('npm', ['run', '--silent', 'mask', '--', path, ...flags])
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(pieces)))
  })
}

test('a format is chosen by keys, refused with its sentence, and given back to what was recognised', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=2&s=anthropic-messages.request-body')
  const { badge, formatChoice, notices } = playground
  await expect(badge).toHaveAccessibleName(
    /Anthropic Messages, request body, 35 messages, 16 turns/,
  )
  await playground.isCounted()

  await badge.focus()
  await page.keyboard.press('Enter')
  await formatChoice.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /^OpenAI chat/ })).toBeVisible()
  const { violations } = await new AxeBuilder({ page })
    // The editor's own inside is its makers' to mend; an open list stands over the page, in no landmark.
    .exclude('.monaco-editor')
    .disableRules('region')
    .analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.type('LangC')
  await page.keyboard.press('Enter')
  await expect(notices).toContainText(
    'request-body.json is read as before. This is an object with "model", "max_tokens", "system", "tools", …, not LangChain; expected a list of messages with "lc": 1',
  )
  await expect(formatChoice).toContainText('Anthropic Messages')

  await formatChoice.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('OpenAI c')
  await page.keyboard.press('Enter')
  await expect(badge).toHaveAccessibleName(/OpenAI chat, .*, 0 turns, 0 results/)
  await expect(page.getByText('Chosen by you.')).toBeVisible()

  const back = page.getByRole('button', { name: 'Read it as recognised' })
  await back.focus()
  await page.keyboard.press('Enter')
  await expect(badge).toHaveAccessibleName(
    /Anthropic Messages, request body, 35 messages, 16 turns/,
  )
  await expect(back).toBeHidden()
  await page.keyboard.press('Escape')
  await playground.undo('another format').click()
  await expect(badge).toHaveAccessibleName(/OpenAI chat/)
  await playground.undo('another format').click()
  await expect(badge).toHaveAccessibleName(/Anthropic Messages/)
  const whole = readFileSync(join(SAMPLES, 'formats/anthropic-messages/request-body.json'))
  await playground.setWindow(1000)
  expect((await playground.download()).equals(whole)).toBe(true)
  expect(playground.complaints).toEqual([])
})
