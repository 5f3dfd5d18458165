import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectFitsPage, largeTest, PHONE, test } from './fixtures'

const SAMPLES = join(import.meta.dirname, '../public/samples')
const GEMINI = join(SAMPLES, 'formats/gemini/request-body.json')

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly unknown[]
}

function messagesOf(bytes: Buffer): readonly Message[] {
  return JSON.parse(bytes.toString('utf8')).messages
}

/** The dialog, opened from the output's header. */
async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Save in another format' }).click()
  await page.getByRole('menuitem', { name: /Save as OpenAI chat/ }).click()
  return page.getByRole('dialog', { name: 'Save as OpenAI chat' })
}

/** The name and the bytes of the file that the dialog saves. */
async function saved(dialog: Locator): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const started = dialog.page().waitForEvent('download')
  await dialog.getByRole('button', { name: /^Save .+json$/ }).click()
  const file = await started
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

test('a conversation of another format is saved as chat completions, as it is and masked', async ({
  page,
  playground,
}) => {
  await playground.open()
  await playground.openFile(GEMINI)
  await expect(page.getByRole('button', { name: /Gemini · request body/ })).toBeVisible()
  await playground.isCounted()
  await playground.setWindow(4)

  const dialog = await openDialog(page)
  await expect(dialog.getByRole('listitem')).not.toHaveCount(0)
  await expectAccessible(page, '[role=dialog]')
  const whole = await saved(dialog)
  expect(whole.name).toBe('request-body.openai-chat.json')
  const written = messagesOf(whole.bytes)
  expect(written.filter(({ role }) => role === 'tool')).toHaveLength(28)
  expect(written.filter(({ tool_calls }) => tool_calls !== undefined)).toHaveLength(16)
  expect(whole.bytes.toString()).not.toContain('Observation masquée')

  const again = await openDialog(page)
  await again.getByRole('button', { name: 'Masked with the current policy' }).click()
  const masked = await saved(again)
  expect(masked.name).toBe('request-body.masked.openai-chat.json')
  const placeholders = messagesOf(masked.bytes).filter(({ content }) =>
    content?.startsWith('[Observation masquée'),
  )
  expect(placeholders.length).toBeGreaterThan(10)

  // What was saved opens as a conversation of its own, with the same turns.
  await playground.openBytes(whole.name, whole.bytes)
  await expect(
    page.getByRole('button', { name: /OpenAI chat.*16 turns · 28 results/ }),
  ).toBeVisible()
})

largeTest('a phone saves it too', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await playground.reuse()
  await playground.openFile(GEMINI)
  await expect(page.getByRole('button', { name: /Gemini · request body/ })).toBeVisible()
  await page
    .getByRole('button', { name: /messages.*results/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Save as OpenAI chat…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as OpenAI chat' })
  await expect(dialog).toBeVisible()
  await expectFitsPage(page)
  await expectAccessible(page, '[role=dialog]')
  const { name } = await saved(dialog)
  expect(name).toBe('request-body.openai-chat.json')
})
