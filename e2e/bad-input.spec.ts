import { turnOf } from '../lib/core/testing/conversation-of'
import { testSize } from '../lib/core/testing/test-size'
import { expect, expectAccessible, largeTest, PHONE, test } from './fixtures'

const MESSAGE = { role: 'user', content: 'hello' }

function largeFile(count: number): Buffer {
  const content = 'a line of text\n'.repeat(2_000)
  return Buffer.from(JSON.stringify(Array(count).fill({ role: 'user', content })))
}

test('a refused file leaves the document; its notice has a sentence', async ({ playground }) => {
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
  await playground.openBytes('input.bin', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))
  await expect(playground.notices).toContainText(/is a PNG image/)
  await playground.shows('coding-session.json')
  expect(await withoutSentence.jsonValue()).toEqual([])
})

test('text that is not JSON: line and column, a link to them, and undo', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  await playground.chooseSample(/^Coding session/)
  const text = '[\n  {"role": "user", "content": "a"},\n  {"role": "user" "content": "b"}\n]'
  await playground.openBytes('broken.json', Buffer.from(text))
  await expect(page.getByText(/Line 3, column 19: found "content"; expected a comma/)).toBeVisible()
  await page.getByRole('button', { name: 'Go to line 3' }).click()
  await expect(page.getByText('line 3', { exact: true })).toBeVisible()
  await expect(page.getByText(/^The masked transcript appears here/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/^No figures: /)
  await expectAccessible(page, 'main')
  await expect(page.getByText('pocket-ledger')).toHaveCount(0)
  await expect(playground.meters).not.toContainText(/\d tokens/)
  await page.getByRole('button', { name: 'Repair line 3 and open' }).click()
  await playground.shows(/broken\.json.*2 messages/)
  await page.getByRole('button', { name: 'Undo repairing the JSON' }).click()
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Line 3')
  await playground.button('Undo the last change').click()
  await playground.shows(/coding-session\.json/)
  await playground.isCounted()
})

test('the comparison says it too, and leads to the line', async ({ page, playground }) => {
  await playground.reuse('v=2&o=diff')
  await playground.openBytes('broken.json', Buffer.from('[\n  {"role": "user" "content": "b"}\n]'))
  const comparison = page.getByRole('region', { name: 'Conversation and what is sent, compared' })
  await expect(comparison.getByText(/Line 2, column 19: found "content"/)).toBeVisible()
  await expectAccessible(page, '#conversation')
  await comparison.getByRole('button', { name: 'Go to line 2' }).click()
  await expect(page.getByText('line 2', { exact: true })).toBeVisible()
  await expect(playground.source).toBeFocused()
})

largeTest(
  'a large file is saved only once it is read, and dims the last',
  async ({ playground }) => {
    const { page } = playground
    await playground.reuse()
    const count = testSize(150, 700)
    const bytes = largeFile(count)
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

    const progress = page.getByText(/^Reading, \d+%$/).waitFor()
    await playground.openBytes('large.json', bytes)
    await progress
    await expect(
      page.getByRole('button', { name: new RegExp(`large\\.json.*${count} messages`) }),
    ).toBeVisible()
    expect((await playground.download()).equals(bytes)).toBe(true)
    await expect(playground.notices).toContainText('large.masked.json')
    await expect(page.locator('[aria-busy=true]').filter({ has: playground.meters })).toHaveCount(0)
    const states = await watched.jsonValue()
    expect(states.length).toBeGreaterThan(0)
    const waiting = { isBusy: true, canDownload: false, canCopy: false }
    expect(states).toEqual(states.map(() => waiting))
  },
)

largeTest('a phone shows a problem in its line', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await playground.open()
  await playground.openBytes('bad.json', Buffer.from('[\n {"role": user}\n]'))
  const problem = page.getByRole('alert').filter({ hasText: 'Line 2, column 11: found' })
  await expect(problem.locator('mark')).toHaveText('u')
  await expect(problem).toContainText('{"role": user}')
  await expectAccessible(page, '#conversation')
})

test('an empty text says what to do', async ({ page, playground }) => {
  await playground.reuse()
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await expect(page.getByText('Paste a transcript here')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/^No figures yet: /)
  await expect(playground.timeline).toBeHidden()
  await page.keyboard.insertText(JSON.stringify([MESSAGE]))
  await expect(playground.button(/1 message/)).toBeVisible()
})

test('a worker that ends is replaced, and the page says so', async ({ page, playground }) => {
  await playground.reuse()
  // What is known of the sample needs no worker; one starts two seconds later.
  await expect.poll(() => page.workers().length).toBeGreaterThan(0)
  for (const worker of page.workers()) {
    if ((await worker.evaluate(() => self.name)) !== 'o200k_base') continue
    await worker.evaluate(() => self.close())
  }
  await expect(playground.notices).toContainText('The background worker stopped')
  await playground.paste(JSON.stringify([MESSAGE, MESSAGE]))
  await expect(playground.button(/2 messages/)).toBeVisible()
  await playground.isCounted()
})

test('special tokens, scripts, __proto__ and lone surrogates are data', async ({ playground }) => {
  const { page } = playground
  await playground.reuse()
  const turn = (id: string) =>
    turnOf(id, '<b>x</b>\ud800'.repeat(60), '<img src=x onerror=alert(1)>')
  const text = JSON.stringify({
    messages: [
      { role: 'user', content: '<|endoftext|><script>alert(1)</script>' },
      ...turn('c1'),
      ...turn('c2').slice(0, 1),
    ],
  }).replace('"messages"', '"__proto__": {"polluted": true}, "messages"')
  page.on('dialog', () => expect('a dialog').toBe('never opened'))
  await playground.openText('hostile.json', text)
  await playground.isCounted()
  await playground.setWindow(1)
  await expect(playground.meters).toContainText('1 of 1')
  await playground.button('Messages').click()
  await expect(page.getByText('<script>alert(1)</script>').first()).toBeVisible()
  expect(await page.evaluate(() => ({}) as { polluted?: boolean })).toEqual({})
})
