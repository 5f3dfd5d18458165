import { inflateRawSync } from 'node:zlib'
import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, expectAccessible, expectFitsPage, PHONE, test } from './fixtures'
import { PlaygroundPage } from './playground-page'
import { savedBy } from './steps'

/** Letters and digits that are nobody's key. */
const letters = (length: number) =>
  Array.from({ length }, (_, index) => 'aZ3kQ9xR7mB2'[(index * 7 + (index >> 2)) % 12]).join('')

const KEY = `sk-${'ant'}-api03-${letters(60)}`

const OWN = JSON.stringify([
  { role: 'user', content: 'begin' },
  ...turnOf('a', `the key\n${KEY}\nand the words of the sender`),
  ...turnOf('b', 'done'),
])

/** Stands wherever a transcript has words of its own: name of the file, tool, ids, arguments and texts. */
const MARKER = 'zyxmarker'

const MARKED = JSON.stringify({
  messages: [
    { role: 'user', content: `${MARKER} asks` },
    ...Array.from({ length: 3 }, (_, index) =>
      turnOf(
        `${MARKER}_${index}`,
        `${MARKER} result ${index}\n`.repeat(60),
        `${MARKER}_tool`,
        JSON.stringify({ path: `${MARKER}.ts` }),
      ).map((message) => (message.content === null ? { ...message, content: MARKER } : message)),
    ).flat(),
  ],
})

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a link has the transcript with the secret redacted', async ({ openBrowser, playground }) => {
  const { page } = playground
  await playground.open('v=2&w=1')
  await playground.openText('mine.json', OWN)
  const dialog = await playground.share()
  await dialog.getByRole('checkbox', { name: /^With the transcript/ }).click()
  await expect(dialog).toContainText('One possible secret')
  await expect(dialog).toContainText('Anthropic key')
  await expect(dialog).toContainText(/\d+ characters/)
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('checkbox', { name: /Anthropic key/ }).click()
  await expect(dialog).toContainText('Not redacted.')
  await dialog.getByRole('button', { name: 'Redact all' }).click()
  await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Copy link with transcript' }).click()
  await expect(playground.notices).toContainText('with the transcript in it')
  const link = await playground.clipboard()

  const reader = await openBrowser()
  const other = new PlaygroundPage(await reader.newPage())
  await other.page.goto(link)
  await other.isCounted()
  await expect(other.button(/from-a-link/)).toBeVisible()
  const masked = (await other.download()).toString()
  expect(masked).toContain('tool_call_id=a')
  expect(masked).not.toContain(KEY)
})

test('a link with figures has nothing of the transcript', async ({ openBrowser, playground }) => {
  const { page } = playground
  await playground.reuse('v=2&w=1&x=own_tool')
  await playground.openText(`${MARKER}.json`, MARKED)
  const dialog = await playground.share()
  const picture = dialog.getByRole('img')
  await expect(picture).toHaveAttribute('alt', /3 turns/)
  const drawn = decodeURIComponent((await picture.getAttribute('src')) ?? '')
  expect(drawn).toContain('3 turns')
  for (const word of [MARKER, 'own_tool']) expect(drawn).not.toContain(word)
  const settings = await page.getByRole('textbox', { name: /link/i }).first().inputValue()
  await page.getByRole('button', { name: 'Copy figures link' }).click()
  await expect(playground.notices).toContainText('nothing of the transcript')
  const link = await playground.clipboard()
  const [, packed = ''] = link.split('&f=')
  const text = inflateRawSync(Buffer.from(packed, 'base64url')).toString()
  expect(text).toContain('"messages":7')
  const phone = await (await openBrowser()).newPage()
  await phone.setViewportSize(PHONE)
  await phone.goto(link)
  await expect(phone.getByRole('heading', { level: 1 })).toContainText(/masking|Masking/)
  await expectFitsPage(phone)
  await expectAccessible(phone)
  const { bytes } = await savedBy(phone.getByRole('button', { name: 'Save report' }))
  const seen = [link, text, phone.url(), await phone.title(), await phone.content(), bytes].join()
  expect([page.url(), await page.title(), settings].join()).not.toContain(MARKER)
  expect(seen).not.toMatch(/zyxmarker|own_tool/)
  await phone.getByRole('link', { name: 'Try this policy' }).click()
  await expect(phone).toHaveURL(/\/#v=2&w=1$/)
})

test('a session file shows and redacts what looks like a secret', async ({ page, playground }) => {
  await playground.reuse()
  await playground.openText('mine.json', OWN)
  expect((await playground.saveSession()).toString()).toContain(KEY)
  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog', { name: 'Save the session as a file' })
  await dialog.getByRole('textbox', { name: 'Notes' }).fill(`made with ${KEY}`)
  await expect(dialog).toContainText('2 occurrences')
  await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).not.toBeChecked()
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Redact all' }).click()
  const save = dialog.getByRole('button', { name: /^Save .*\.masking\.json$/ })
  const file = (await savedBy(save)).bytes.toString()
  expect(file).not.toContain(KEY)
  expect(JSON.parse(file).notes).toMatch(/^made with REDACTED-1\*+$/)
})
