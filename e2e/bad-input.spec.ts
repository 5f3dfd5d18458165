import { expect, test } from '@playwright/test'
import { PlaygroundPage } from './playground-page'

const MESSAGE = { role: 'user', content: 'hello' }

test('text that is not JSON: line and column, a way there, and the text stays', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const text = '[\n  {"role": "user", "content": "a"},\n  {"role": "user" "content": "b"}\n]'
  await playground.openBytes('broken.json', Buffer.from(text))
  await expect(page.getByText(/Line 3, column 19: found "content"; expected a comma/)).toBeVisible()
  await page.getByRole('button', { name: 'Go to line 3' }).click()
  await expect(page.getByText('line 3', { exact: true })).toBeVisible()
  await expect(page.getByText('What would be sent in its place appears here.')).toBeVisible()
  await expect(page.getByText('pocket-ledger')).toHaveCount(0)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await playground.isCounted()
})

const REFUSED_TEXTS: readonly (readonly [string, string, RegExp])[] = [
  [
    'JSON that is no conversation',
    '{"a": [1, 2]}',
    /no conversation: looked for a list of messages/,
  ],
  ['a truncated file', '[{"role": "user", "content": "he', /ends at line 1.*It looks cut off/],
  ['20,000 nested arrays', '['.repeat(20_000), /nested more than 512 levels deep/],
  ['messages of the wrong type', '{"messages": "x"}', /messages is a text; expected a list/],
]

for (const [name, text, sentence] of REFUSED_TEXTS) {
  test(`${name} gets a sentence and the page stays usable`, async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.openBytes('input.json', Buffer.from(text))
    await expect(page.getByText(sentence)).toBeVisible({ timeout: 20_000 })
    await playground.openBytes('good.json', Buffer.from(JSON.stringify([MESSAGE])))
    await expect(page.getByRole('button', { name: /good\.json/ })).toBeVisible()
  })
}

const REFUSED_FILES: readonly (readonly [string, Buffer, RegExp])[] = [
  ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), /not text: byte 4 is zero/],
  ['a zip cut off', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 1]), /zip archive ends after 6 bytes/],
  ['UTF-16', Buffer.from('\ufeff[{"role":"user"}]', 'utf16le'), /UTF-16/],
  ['not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), /not UTF-8 text: byte 2/],
]

for (const [name, bytes, sentence] of REFUSED_FILES) {
  test(`a file that is ${name} is refused with a sentence, and what was open stays`, async ({
    page,
  }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.openBytes('input.bin', bytes)
    await expect(playground.notices).toContainText(sentence)
    await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  })
}

test('an empty text says what to do', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await expect(page.getByText('Paste a conversation here')).toBeVisible()
  await page.keyboard.insertText(JSON.stringify([MESSAGE]))
  await expect(page.getByRole('button', { name: /1 message/ })).toBeVisible()
})

test('hostile texts are data: special tokens, script, __proto__, lone surrogates', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: '<img src=x onerror=alert(1)>', arguments: '{}' },
  }
  const text = JSON.stringify({
    messages: [
      { role: 'user', content: '<|endoftext|><script>alert(1)</script>' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '<b>x</b>\ud800'.repeat(60) },
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'c2' }] },
    ],
  }).replace('"messages"', '"__proto__": {"polluted": true}, "messages"')
  page.on('dialog', () => expect('a dialog').toBe('never opened'))
  await playground.openBytes('hostile.json', Buffer.from(text))
  await expect(page.getByRole('button', { name: /hostile\.json/ })).toBeVisible()
  await playground.isCounted()
  await playground.setWindow(1)
  await expect(playground.meters).toContainText('1 of 1')
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  await expect(page.getByText('<script>alert(1)</script>').first()).toBeVisible()
  expect(await page.evaluate(() => ({}) as { polluted?: boolean })).toEqual({})
})

test('a 20 MB file is read with progress and the page stays usable', async ({ page }) => {
  test.setTimeout(120_000)
  const playground = new PlaygroundPage(page)
  await playground.open()
  const messages: object[] = []
  for (let turn = 0; turn < 1_000; turn++) {
    const id = `call_${turn}`
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
    })
    messages.push({
      role: 'tool',
      tool_call_id: id,
      content: `line ${turn} of some output, repeated\n`.repeat(600),
    })
  }
  const bytes = Buffer.from(JSON.stringify(messages, null, 1))
  expect(bytes.length).toBeGreaterThan(20_000_000)
  await playground.openBytes('large.json', bytes)
  await expect(page.getByRole('button', { name: /1,000 turns/ })).toBeVisible({ timeout: 60_000 })
  await expect(playground.meters).toContainText('992 of 1,000', { timeout: 60_000 })
  await playground.setWindow(500)
  await expect(playground.meters).toContainText('500 of 1,000')
})

test('many damaged values of a link are said at once, and an unknown sample opens the first', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open('w=abc&ke=maybe&k=-5&b=0&tp=2&ng=x&er=foo,traceback&s=nope')
  await expect(playground.notices).toContainText('7 values of the link were not used as written')
  await expect(playground.notices).toContainText('window_turns is "abc"; expected a whole number')
  await expect(playground.notices).toContainText(/So are \d more\./)
  await expect(playground.notices).toContainText('There is no sample called nope.')
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
})

test('20,000 nested arrays pasted over the sample break nothing', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.paste('['.repeat(20_000))
  await expect(page.getByText(/nested more than 512 levels deep/)).toBeVisible()
  await page.waitForTimeout(1_500)
  expect(playground.complaints).toEqual([])
  await playground.paste(JSON.stringify([MESSAGE]))
  await expect(page.getByRole('button', { name: /pasted\.json.*1 message/ })).toBeVisible()
})

test('an empty file is refused with a sentence', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('empty.json', Buffer.from(''))
  await expect(playground.notices).toContainText('The file is empty')
  await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
})

test('a transcript pasted over the sample is no longer the sample', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open('v=1&s=broken-history')
  await playground.paste(JSON.stringify([MESSAGE]))
  await expect(page.getByRole('button', { name: /pasted\.json.*1 message/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo pasting a transcript' }).click()
  await expect(page.getByRole('button', { name: /broken-history\.json/ })).toBeVisible()
})
