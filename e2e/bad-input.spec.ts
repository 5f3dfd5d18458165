import { testSize } from '../lib/core/testing/test-size'
import { expect, expectAccessible, PHONE, test } from './fixtures'

const { step } = test

const MESSAGE = { role: 'user', content: 'hello' }
const GOOD = Buffer.from(JSON.stringify([MESSAGE]))

const REFUSED_FILES: readonly (readonly [string, Buffer, RegExp])[] = [
  ['a binary file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), /is a PNG image/],
  [
    'a zip archive cut off',
    Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 1]),
    /zip archive ends after 6 bytes/,
  ],
  ['a UTF-16 file', Buffer.from('\ufeff[{"role":"user"}]', 'utf16le'), /UTF-16/],
  [
    'a file that is not UTF-8',
    Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
    /not UTF-8 text: byte 2/,
  ],
  ['an empty file', Buffer.from(''), /The file is empty/],
]

const REFUSED_TEXTS: readonly (readonly [string, string, RegExp])[] = [
  [
    'JSON that is not a conversation',
    '{"a": [1, 2]}',
    /not a conversation; expected a list of messages/,
  ],
  [
    'lines whose type cannot be turned into a text',
    Array.from({ length: 3 }, () => '{"type":{"toString":1}}').join('\n'),
    /These are 3 lines of JSON, but not a conversation/,
  ],
  ['a truncated file', '[{"role": "user", "content": "he', /ends at line 1.*It looks cut off/],
  ['20,000 nested arrays', '['.repeat(20_000), /nested more than 512 levels deep/],
  ['messages of the wrong type', '{"messages": "x"}', /messages is a text; expected a list/],
]

test('files that cannot be read get a sentence, and the page stays usable', async ({
  page,
  playground,
}) => {
  await playground.open()
  const withoutSentence = await playground.notices.evaluateHandle((region) => {
    const found: string[] = []
    new MutationObserver(() => {
      for (const notice of region.children)
        if ((notice.querySelector('div')?.textContent ?? '').length < 20)
          found.push(notice.outerHTML)
    }).observe(region, { subtree: true, childList: true, characterData: true })
    return found
  })

  for (const [name, bytes, sentence] of REFUSED_FILES) {
    await step(`${name} is refused, and the open document stays`, async () => {
      await playground.openBytes('input.bin', bytes)
      await expect(playground.notices).toContainText(sentence)
      await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
    })
  }

  await step('no notice is there before its sentence', async () => {
    expect(await withoutSentence.jsonValue()).toEqual([])
  })

  await step('text that is not JSON: line and column, a link to them, and undo', async () => {
    const text = '[\n  {"role": "user", "content": "a"},\n  {"role": "user" "content": "b"}\n]'
    await playground.openBytes('broken.json', Buffer.from(text))
    await expect(
      page.getByText(/Line 3, column 19: found "content"; expected a comma/),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Go to line 3' }).click()
    await expect(page.getByText('line 3', { exact: true })).toBeVisible()
    await expect(page.getByText('The masked conversation appears here.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/^No figures: /)
    await expectAccessible(page)
    await expect(page.getByText('pocket-ledger')).toHaveCount(0)
    await expect(playground.meters.getByText('exact tokenizer')).toBeHidden()
    await page.getByRole('button', { name: 'Repair line 3 and open' }).click()
    await expect(page.getByRole('button', { name: /broken\.json.*2 messages/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo repairing the JSON' }).click()
    await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Line 3')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
    await playground.isCounted()
  })

  await step('the comparison says it too, and leads to the line', async () => {
    await page.getByRole('button', { name: 'Diff' }).click()
    await playground.openBytes(
      'broken.json',
      Buffer.from('[\n  {"role": "user" "content": "b"}\n]'),
    )
    const comparison = page.getByRole('region', { name: 'Conversation and what is sent, compared' })
    await expect(comparison.getByText(/Line 2, column 19: found "content"/)).toBeVisible()
    await expectAccessible(page)
    await comparison.getByRole('button', { name: 'Go to line 2' }).click()
    await expect(page.getByText('line 2', { exact: true })).toBeVisible()
    await expect(playground.source).toBeFocused()
  })

  for (const [name, text, sentence] of REFUSED_TEXTS) {
    await step(`${name} gets a sentence, and another file opens`, async () => {
      await playground.openBytes('input.json', Buffer.from(text))
      await expect(page.getByText(sentence)).toBeVisible()
      await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/^No figures: /)
      await playground.openBytes('good.json', GOOD)
      await expect(page.getByRole('button', { name: /good\.json/ })).toBeVisible()
    })
  }
})

test('a large file is copied, saved and shared only once it is read', async ({
  page,
  playground,
}) => {
  await playground.open()
  const content = 'a line of text\n'.repeat(2_000)
  const count = testSize(150, 700)
  const messages = Array.from({ length: count }, () => ({ role: 'user', content }))
  const bytes = Buffer.from(JSON.stringify(messages))

  // Watched inside the page: how long reading takes depends on the machine.
  const watched = await page.evaluateHandle(() => {
    const states: { isBusy: boolean; canDownload: boolean; canCopy: boolean }[] = []
    const isEnabled = (name: string) =>
      [...document.querySelectorAll('button')].some(
        (button) =>
          button.textContent?.trim() === name &&
          !button.matches(':disabled, [aria-disabled="true"]'),
      )
    new MutationObserver(() => {
      if (!document.body.textContent?.includes('large.json is being read.')) return
      const isBusy = document.querySelector('[aria-busy="true"]') !== null
      states.push({ isBusy, canDownload: isEnabled('Download'), canCopy: isEnabled('Copy') })
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
    return states
  })

  await step('then Download gives the text of the named file', async () => {
    await playground.openBytes('large.json', bytes)
    await expect(
      page.getByRole('button', { name: new RegExp(`large\\.json.*${count} messages`) }),
    ).toBeVisible()
    expect((await playground.download()).equals(bytes)).toBe(true)
    await expect(playground.notices).toContainText('large.masked.json')
    await expect(page.locator('[aria-busy=true]').filter({ has: playground.meters })).toHaveCount(0)
  })

  await step('until then, the previous text is dimmed and cannot be saved', async () => {
    const states = await watched.jsonValue()
    expect(states.length).toBeGreaterThan(0)
    const waiting = { isBusy: true, canDownload: false, canCopy: false }
    expect(states).toEqual(states.map(() => waiting))
  })
})

test('on a phone, the messages of the text before are dimmed; a problem is shown in its line', async ({
  page,
  playground,
}) => {
  await page.setViewportSize(PHONE)
  await playground.open()
  await expect(page.getByRole('feed')).toBeVisible()
  const watched = await page.evaluateHandle(() => {
    const states: { hasSentence: boolean; isDimmed: boolean }[] = []
    new MutationObserver(() => {
      const feed = document.querySelector('[role=feed]')
      const isRead = document.body.textContent?.includes('Reading,') !== true
      if (isRead || feed === null) return
      const hasSentence = [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
        textContent.includes('large.json is being read.'),
      )
      states.push({ hasSentence, isDimmed: feed.closest('.faded[aria-busy=true]') !== null })
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
    return states
  })
  const content = 'a line of text\n'.repeat(2_000)
  const messages = Array.from({ length: 150 }, () => ({ role: 'user', content }))
  await playground.openBytes('large.json', Buffer.from(JSON.stringify(messages)))
  await expect(page.getByRole('article').first()).toContainText('a line of text')
  const states = await watched.jsonValue()
  expect(states.length).toBeGreaterThan(0)
  expect(states).toEqual(states.map(() => ({ hasSentence: true, isDimmed: true })))

  await playground.openBytes('bad.json', Buffer.from('[\n {"role": user}\n]'))
  const problem = page.getByRole('alert').filter({ hasText: 'Line 2, column 11: found' })
  await expect(problem.locator('mark')).toHaveText('u')
  await expect(problem).toContainText('{"role": user}')
  await expectAccessible(page)
})

test('texts typed and pasted over the sample', async ({ page, playground }) => {
  await playground.open('v=1&s=broken-history')

  await step('a pasted transcript is no longer the sample', async () => {
    await playground.paste(JSON.stringify([MESSAGE]))
    await expect(page.getByRole('button', { name: /pasted\.json.*1 message/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo pasting a transcript' }).click()
    await expect(page.getByRole('button', { name: /broken-history\.json/ })).toBeVisible()
  })

  await step('20,000 nested arrays break nothing', async () => {
    await playground.paste('['.repeat(20_000))
    await expect(page.getByText(/nested more than 512 levels deep/)).toBeVisible()
    await playground.paste(JSON.stringify([MESSAGE]))
    await expect(page.getByRole('button', { name: /pasted\.json.*1 message/ })).toBeVisible()
  })

  await step('an empty text says what to do', async () => {
    await playground.source.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await expect(page.getByText('Paste a conversation here')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/^No figures yet: /)
    await page.keyboard.insertText(JSON.stringify([MESSAGE]))
    await expect(page.getByRole('button', { name: /1 message/ })).toBeVisible()
  })

  await step('a worker that ends without an error is replaced, and the page says so', async () => {
    for (const worker of page.workers()) {
      if ((await worker.evaluate(() => self.name)) !== 'o200k_base') continue
      await worker.evaluate(() => self.close())
    }
    await expect(playground.notices).toContainText('The background worker stopped')
    await playground.paste(JSON.stringify([MESSAGE, MESSAGE]))
    await expect(page.getByRole('button', { name: /2 messages/ })).toBeVisible()
    await playground.isCounted()
  })
})

test('hostile, large and damaged input', async ({ page, playground }) => {
  await step('damaged values of a link are reported at once, an unknown sample too', async () => {
    await playground.open('w=abc&ke=maybe&k=-5&b=0&tp=2&ng=x&er=foo,traceback&s=nope')
    const { notices } = playground
    await expect(notices).toContainText('7 values in the link were ignored or adjusted')
    await expect(notices).toContainText('window_turns is "abc"; expected a whole number')
    await expect(notices).toContainText(/\(and \d more\)/)
    await expect(notices).toContainText('There is no sample called nope.')
    await expect(page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  })

  await step('special tokens, scripts, __proto__ and lone surrogates are data', async () => {
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

  const turns = testSize(100, 1_000)
  await step(`a file of ${turns} long turns is read, and the page stays usable`, async () => {
    const messages = Array.from({ length: turns }, (_, turn) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `call_${turn}`, type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: `call_${turn}`,
        content: `line ${turn} of some output, repeated\n`.repeat(600),
      },
    ]).flat()
    const bytes = Buffer.from(JSON.stringify(messages, null, 1))
    // 20 MB when tests are large.
    expect(bytes.length).toBeGreaterThan(turns * 20_000)
    await playground.setWindow(8)
    await playground.openBytes('large.json', bytes)
    const all = turns.toLocaleString('en')
    await expect(page.getByRole('button', { name: new RegExp(`${all} turns`) })).toBeVisible()
    await expect(playground.meters).toContainText(`${turns - 8} of ${all}`, { timeout: 60_000 })
    await playground.setWindow(turns / 2)
    await expect(playground.meters).toContainText(`${turns / 2} of ${all}`)
  })
})
