import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { savedBy } from './steps'

const SAMPLES = join(import.meta.dirname, '../public/samples')
const GEMINI = join(SAMPLES, 'formats/gemini/request-body.json')

/** The dialog, opened from the output's header. */
async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Save in another format' }).click()
  await page.getByRole('menuitem', { name: /Save as OpenAI chat/ }).click()
  return page.getByRole('dialog', { name: 'Save as OpenAI chat' })
}

const saved = (dialog: Locator) => savedBy(dialog.getByRole('button', { name: /^Save .+json$/ }))

test('another format is saved as chat completions, whole and masked', async ({ playground }) => {
  const { page } = playground
  await playground.open()
  await playground.openFile(GEMINI)
  await playground.shows(/Gemini · request body/)
  await playground.isCounted()
  await playground.setWindow(4)

  const dialog = await openDialog(page)
  await expect(dialog.getByRole('listitem')).not.toHaveCount(0)
  await expectAccessible(page, '[role=dialog]')
  const whole = await saved(dialog)
  expect(whole.name).toBe('request-body.openai-chat.json')
  expect(whole.bytes.toString()).not.toContain('Observation masquée')

  const again = await openDialog(page)
  await again.getByRole('button', { name: 'Masked with the current policy' }).click()
  const masked = await saved(again)
  expect(masked.name).toBe('request-body.masked.openai-chat.json')
  expect(masked.bytes.toString().match(/\[Observation masquée/g)?.length).toBeGreaterThan(10)

  // What was saved opens as a conversation of its own, with the same turns.
  await playground.openBytes(whole.name, whole.bytes)
  await playground.shows(/OpenAI chat.*16 turns · 28 results/)
})
