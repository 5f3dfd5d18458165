import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const SAMPLES = join(import.meta.dirname, '../public/samples/formats')
const HAR = join(SAMPLES, 'openai-chat/network-panel.har')

test('a HAR file is opened at its longest request, masked inside its strings, and stays one', async ({
  page,
  playground,
}) => {
  await playground.open()
  await playground.openFile(HAR)
  await expect(page.getByRole('button', { name: /OpenAI chat.*HAR file/ })).toBeVisible()
  await playground.isCounted()
  await playground.setWindow(1)
  await expect(playground.meters).toContainText('Session cost, 5 requests')
  await expect(playground.meters).toContainText('6 of 8 results')
  const saved = JSON.parse((await playground.download()).toString('utf8'))
  const source = JSON.parse(readFileSync(HAR, 'utf8'))
  const bodyOf = (har: typeof source) => har.log.entries.at(-1).request.postData.text
  expect(bodyOf(source)).not.toContain('Observation masquée')
  expect(JSON.parse(bodyOf(saved)).messages[3].content).toContain('Observation masquée')
  expect(saved.log.entries[0]).toEqual(source.log.entries[0])
})

test('a pasted cURL command is replaced by its JSON body; undo restores it', async ({
  page,
  playground,
}) => {
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
  await expect(page.getByRole('button', { name: /OpenAI Responses.*request body/ })).toBeVisible()
  await playground.isCounted()
  await playground.undo('extracting the messages').click()
  await expect(
    page.getByText('This is a cURL command; expected its JSON body alone.'),
  ).toBeVisible()
  await expect(page.getByText('authorization: Bearer x')).toBeVisible()
})
