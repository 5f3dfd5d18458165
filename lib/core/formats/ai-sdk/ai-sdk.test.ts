import { convertToModelMessages } from 'ai'
import { expect, test } from 'vitest'
import { readTranscript, SAMPLE_FILES } from '../../testing/transcripts'

test('the sample for a model is what the package converts the sample for a page to', async () => {
  const [model, page] = ['model-messages', 'ui-messages'].map((name) => {
    const file = SAMPLE_FILES.find((found) => found.name.endsWith(`ai-sdk/${name}.json`))
    return JSON.parse(readTranscript(file as NonNullable<typeof file>))
  })
  const converted = await convertToModelMessages(page.messages)
  expect(JSON.parse(JSON.stringify(converted))).toEqual(model)
})
