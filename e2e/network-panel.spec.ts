import { join } from 'node:path'
import { expect, test } from './fixtures'

const HAR = join(import.meta.dirname, '../public/samples/formats/openai-chat/network-panel.har')

test('a HAR file opens at its longest request', async ({ playground }) => {
  await playground.open()
  await playground.openFile(HAR)
  await playground.shows(/OpenAI chat.*HAR file/)
  await playground.isCounted()
  await playground.setWindow(1)
  await expect(playground.meters).toContainText('Session cost, 5 requests')
  await expect(playground.meters).toContainText('6 of 8 results')
})

test('a pasted cURL command gives way to its body; undo restores it', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  const body = JSON.stringify({
    model: 'gpt-5',
    input: [
      { role: 'user', content: 'what is here?' },
      { type: 'function_call', call_id: 'a', name: 'list', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'a.txt' },
    ],
  })
  const header = "-H 'authorization: Bearer x'"
  await playground.paste(
    `curl 'https://api.openai.com/v1/responses' ${header} --data-raw '${body}'`,
  )
  await expect(playground.notices).toContainText(
    'This is the JSON body of the cURL command (POST api.openai.com/v1/responses).',
  )
  await expect(playground.button(/OpenAI Responses.*request body/)).toBeVisible()
  await playground.isCounted()
  await playground.undo('extracting the messages').click()
  await expect(
    page.getByText('This is a cURL command; expected its JSON body alone.'),
  ).toBeVisible()
  await expect(page.getByText('authorization: Bearer x')).toBeVisible()
})
