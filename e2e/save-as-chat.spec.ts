import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectAccessible, expectFitsPage, largeStep, PHONE, test } from './fixtures'

const { step } = test

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

test('a conversation is saved as chat completions', async ({ page, playground }) => {
  await step(
    'a conversation of another format is saved as chat completions, as it is and masked',
    async () => {
      await playground.open()
      await playground.openFile(GEMINI)
      await expect(page.getByRole('button', { name: /Gemini · request body/ })).toBeVisible()
      await playground.isCounted()
      await playground.setWindow(4)

      const dialog = await playground.openSaveAsChat()
      await expect(dialog.getByRole('listitem')).not.toHaveCount(0)
      await expectAccessible(page, '[role=dialog]')
      const whole = await playground.saveAsChatFile(dialog)
      expect(whole.name).toBe('request-body.openai-chat.json')
      const written = messagesOf(whole.bytes)
      expect(written.filter(({ role }) => role === 'tool')).toHaveLength(28)
      expect(written.filter(({ tool_calls }) => tool_calls !== undefined)).toHaveLength(16)
      expect(whole.bytes.toString()).not.toContain('Observation masquée')

      const again = await playground.openSaveAsChat()
      await again.getByRole('button', { name: 'Masked with the current policy' }).click()
      const masked = await playground.saveAsChatFile(again)
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
    },
  )

  await step('chat completions lose nothing', async () => {
    await playground.open()
    const sample = join(SAMPLES, 'formats/openai-chat/request-body.json')
    await playground.openFile(sample)
    await expect(page.getByRole('button', { name: /OpenAI chat · request body/ })).toBeVisible()
    const dialog = await playground.openSaveAsChat()
    await expect(dialog).toContainText('All messages are converted without loss.')
    const { bytes } = await playground.saveAsChatFile(dialog)
    expect(JSON.parse(bytes.toString('utf8'))).toEqual(JSON.parse(readFileSync(sample, 'utf8')))
  })

  await largeStep('a phone saves it too', async () => {
    await page.setViewportSize(PHONE)
    await playground.open()
    await playground.openFile(GEMINI)
    await expect(page.getByRole('button', { name: /Gemini · request body/ })).toBeVisible()
    const dialog = await playground.openSaveAsChatFromDetails()
    await expectFitsPage(page)
    await expectAccessible(page, '[role=dialog]')
    const { name } = await playground.saveAsChatFile(dialog)
    expect(name).toBe('request-body.openai-chat.json')
  })
})
