import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { expect, expectAccessible, expectFitsPage, largeStep, PHONE, test } from './fixtures'
import { PlaygroundPage } from './playground-page'

const { step } = test

/** Letters and digits that are nobody's key. */
const letters = (length: number) =>
  Array.from({ length }, (_, index) => 'aZ3kQ9xR7mB2'[(index * 7 + (index >> 2)) % 12]).join('')

const KEY = `sk-${'ant'}-api03-${letters(60)}`

function turn(id: string, content: string): object[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const OWN = JSON.stringify([
  { role: 'user', content: 'begin' },
  ...turn('a', `the key\n${KEY}\nand the words of the sender`),
  ...turn('b', 'done'),
])

/** Stands wherever a transcript has words of its own: name of the file, tool, ids, arguments and texts. */
const MARKER = 'zyxmarker'

const MARKED = JSON.stringify({
  messages: [
    { role: 'user', content: `${MARKER} asks` },
    ...Array.from({ length: 3 }, (_, index) => {
      const id = `${MARKER}_${index}`
      const call = { name: `${MARKER}_tool`, arguments: JSON.stringify({ path: `${MARKER}.ts` }) }
      return [
        {
          role: 'assistant',
          content: MARKER,
          tool_calls: [{ id, type: 'function', function: call }],
        },
        { role: 'tool', tool_call_id: id, content: `${MARKER} result ${index}\n`.repeat(60) },
      ]
    }).flat(),
  ],
})

const CONFIG = `[server]
port = 1 # kept

[observation_masking.schema1]
enabled = true
window_turns = 5 # the window
colour = "red"
`

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the link follows the settings, and the settings follow the link', async ({
  page,
  playground,
}) => {
  await step(
    'the link holds no transcript, says how long it is, and restores the settings',
    async () => {
      await playground.open('v=2&s=many-runs&c=3')
      await expect(page.getByRole('button', { name: /3 of 7/ })).toBeVisible()
      await playground.setWindow(3)
      await playground.share()
      const link = page.getByRole('textbox', { name: 'Link with the settings' })
      await expect(link).toHaveValue(/#v=2&w=3&s=many-runs&c=3$/)
      await link.focus()
      expect(await link.evaluate((field: HTMLInputElement) => field.scrollLeft)).toBe(0)
      const text = await link.inputValue()
      await expect(
        page.getByText(
          /a link to this page with the policy.* your transcript and its figures are not/,
        ),
      ).toBeVisible()
      await expect(page.getByText(`${text.length} characters`, { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Copy link' }).click()
      await expect(playground.notices).toContainText('with the settings, no transcript')
      expect(await clipboard(page)).toBe(text)
    },
  )

  await step('it shows the names of tools that the link contains before it is copied', async () => {
    await expect(page.getByText('tool you excluded')).toBeHidden()
    await playground.open('v=2&x=bash,read_file')
    await playground.share()
    await expect(page.getByText('It names the 2 tools you excluded: bash, read_file')).toBeVisible()
  })

  await step('Back undoes a choice; a drag adds no history entry', async () => {
    await playground.open()
    await page.getByRole('slider', { name: 'Window', exact: true }).focus()
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/#v=2&w=12$/)
    const length = await page.evaluate(() => history.length)
    await page.getByRole('button', { name: 'Diff' }).click()
    await expect(page).toHaveURL(/#v=2&w=12&o=diff$/)
    expect(await page.evaluate(() => history.length)).toBe(length)
    await page.getByRole('button', { name: 'every 16 turns', exact: true }).click()
    await expect(page).toHaveURL(/#v=2&w=12&b=16&o=diff$/)
    expect(await page.evaluate(() => history.length)).toBe(length + 1)
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Diff', pressed: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Advance every' })).toHaveValue('1')
    await expect(playground.window).toHaveValue('12')
    await expect(playground.notices).not.toContainText('link')
  })

  await step(
    'going back to the entry the page was opened with, or to a link, says nothing',
    async () => {
      await playground.open('v=2&w=6')
      await page.getByRole('button', { name: 'every 16 turns', exact: true }).click()
      await expect(page).toHaveURL(/b=16$/)
      await page.goBack()
      await expect(page.getByRole('textbox', { name: 'Advance every' })).toHaveValue('1')
      await expect(playground.notices).not.toContainText('link')
      await page.evaluate(() => {
        location.hash = '#v=2&w=3'
      })
      await expect(playground.window).toHaveValue('3')
      await expect(playground.notices).toContainText('settings now apply')
      await playground.notices.getByRole('button', { name: 'Dismiss' }).click()
      await page.goBack()
      await expect(playground.window).toHaveValue('6')
      await page.goForward()
      await expect(playground.window).toHaveValue('3')
      await expect(playground.notices).not.toContainText('link')
    },
  )

  await step('going back and forward at once, after a link, does not reload the page', async () => {
    await playground.open('v=2&w=6')
    await page.evaluate(async () => {
      Object.assign(globalThis, { isSamePage: true })
      const left = () =>
        new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
      for (const leave of [
        () => {
          location.hash = '#v=2&w=3'
        },
        () => history.back(),
        () => history.forward(),
      ]) {
        const isLeft = left()
        leave()
        await isLeft
      }
    })
    await expect(playground.window).toHaveValue('3')
    // A reload would have begun by then.
    await page.waitForTimeout(1000)
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  })

  await step(
    'a link of 10,000 characters of rubbish is said in a few words, and not carried on',
    async () => {
      await playground.open('A%!8&='.repeat(1_700))
      await expect(playground.notices).toContainText('cannot be read')
      const notices = await playground.notices.textContent()
      expect(notices?.length).toBeLessThan(600)
      await playground.share()
      const link = await page.getByRole('textbox', { name: 'Link with the settings' }).inputValue()
      expect(link).toMatch(/#v=2$/)
    },
  )
})

test("a link and the reader's own transcript", async ({ page, context, playground }) => {
  await step(
    "a link pasted over one's own transcript keeps it, and can be taken back",
    async () => {
      await playground.open()
      await playground.openBytes('mine.json', Buffer.from(OWN))
      await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
      await page.evaluate(() => {
        location.hash = '#v=2&w=1&s=log-reading'
      })
      await expect(playground.notices).toContainText('now apply to the open transcript')
      await expect(playground.window).toHaveValue('1')
      await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
      await page.getByRole('button', { name: 'Restore the previous settings' }).click()
      await expect(playground.window).toHaveValue('8')
    },
  )

  await step("a link to the default policy replaces a reader's own", async () => {
    await playground.open()
    await playground.share()
    const link = await page.getByRole('textbox', { name: 'Link with the settings' }).inputValue()
    await page.keyboard.press('Escape')
    await playground.openBytes('mine.json', Buffer.from(OWN))
    await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
    await playground.setWindow(3)
    await playground.isStored()
    await page.close()
    const reader = new PlaygroundPage(await context.newPage())
    await reader.open(new URL(link).hash.slice(1))
    await expect(reader.page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
    await expect(reader.window).toHaveValue('8')
    await expect(reader.notices).toContainText('now apply to the open transcript')
  })
})

test('shared transcripts contain secrets only if the user wants', async ({
  page,
  openBrowser,
  playground,
}) => {
  await step(
    'a link has the transcript with the secret redacted; the text of the sender stays',
    async () => {
      await playground.open('v=2&w=1')
      await playground.openBytes('mine.json', Buffer.from(OWN))
      await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
      await playground.share()
      await page.getByRole('button', { name: 'With transcript…' }).click()
      const dialog = page.getByRole('dialog', { name: 'A link with the transcript' })
      await expect(dialog).toContainText('One possible secret')
      await expect(dialog).toContainText('Anthropic key')
      await expect(dialog).toContainText(/\d+ characters/)
      await expectAccessible(page)
      await dialog.getByRole('checkbox', { name: /Anthropic key/ }).click()
      await expect(dialog).toContainText('Not redacted.')
      await dialog.getByRole('button', { name: 'Redact all' }).click()
      await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).toBeChecked()
      await dialog.getByRole('button', { name: 'Copy link with transcript' }).click()
      await expect(playground.notices).toContainText('with the transcript in it')
      const link = await clipboard(page)

      const reader = await openBrowser()
      const other = new PlaygroundPage(await reader.newPage())
      await other.page.goto(link)
      await other.isCounted()
      await expect(other.page.getByRole('button', { name: /from-a-link/ })).toBeVisible()
      const masked = (await other.download()).toString()
      expect(masked).toContain('tool_call_id=a')
      expect(masked).not.toContain(KEY)
    },
  )

  await step(
    'a link with figures has nothing of the transcript; a phone shows the verdict',
    async () => {
      await playground.open('v=2&w=1&x=own_tool')
      await playground.openBytes('mine.json', Buffer.from(OWN))
      await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
      await playground.share()
      await page.getByRole('button', { name: 'Share figures' }).click()
      await expect(playground.notices).toContainText('nothing of the transcript')
      const link = await clipboard(page)
      const [, packed = ''] = link.split('&f=')
      const text = inflateRawSync(Buffer.from(packed, 'base64url')).toString()
      expect(text).toContain('"messages":5')
      const phone = await (await openBrowser()).newPage()
      await phone.setViewportSize(PHONE)
      await phone.goto(link)
      await expect(phone.getByRole('heading', { level: 1 })).toContainText(/masking|Masking/)
      await expectFitsPage(phone)
      await expectAccessible(phone)
      const started = phone.waitForEvent('download')
      await phone.getByRole('button', { name: 'Save report' }).click()
      const report = readFileSync(await (await started).path(), 'utf8')
      const seen = [
        link,
        text,
        phone.url(),
        await phone.title(),
        await phone.content(),
        report,
      ].join()
      for (const marker of ['mine.json', 'own_tool', 'words of the sender', KEY, 'begin'])
        expect(seen).not.toContain(marker)
      await phone.getByRole('link', { name: 'Try this policy' }).click()
      await expect(phone).toHaveURL(/\/#v=2&w=1$/)
    },
  )

  await step('reports, links, titles and addresses name nothing of the transcript', async () => {
    await playground.open('v=2&w=1')
    await playground.openBytes(`${MARKER}.json`, Buffer.from(MARKED))
    await playground.shows(`${MARKER}.json`)
    await playground.share()
    const settings = await page.getByRole('textbox', { name: /link/i }).first().inputValue()
    await page.getByRole('button', { name: 'Share figures' }).click()
    await expect(playground.notices).toContainText('nothing of the transcript')
    const link = await clipboard(page)
    const figures = inflateRawSync(Buffer.from(link.split('&f=')[1] ?? '', 'base64url')).toString()
    await playground.drawerOpener('Cost').click()
    const report = page.getByRole('button', { name: 'Save report' })
    await expect(report).toBeEnabled()
    const saved = async (click: () => Promise<void>) => {
      const started = page.waitForEvent('download')
      await click()
      const file = await started
      return file.suggestedFilename() + readFileSync(await file.path(), 'utf8')
    }
    const other = (name: string) => async () => {
      await page.getByRole('button', { name: 'Other formats' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const seen = [settings, link, figures, page.url(), await page.title()]
    seen.push(await saved(() => report.click()))
    for (const name of [
      'Markdown',
      'CSV of every request',
      'CSV of the strategies',
      'Chart as SVG',
    ])
      seen.push(await saved(other(name)))
    for (const text of seen) expect(text).not.toContain(MARKER)
    await page.getByRole('checkbox', { name: 'Include file and tool names' }).click()
    expect(await saved(() => report.click())).toContain(MARKER)
  })

  await step(
    'a session file says what looks like a secret in it, and redacts what is ticked',
    async () => {
      await playground.open()
      await playground.openBytes('mine.json', Buffer.from(OWN))
      await expect(page.getByRole('button', { name: /mine\.json/ })).toBeVisible()
      expect((await playground.saveSession()).toString()).toContain(KEY)
      await page.keyboard.press('ControlOrMeta+s')
      const dialog = page.getByRole('dialog', { name: 'Save the session as a file' })
      await dialog.getByRole('textbox', { name: 'Notes' }).fill(`made with ${KEY}`)
      await expect(dialog).toContainText('2 occurrences')
      await expect(dialog.getByRole('checkbox', { name: /Anthropic key/ })).not.toBeChecked()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Redact all' }).click()
      const started = page.waitForEvent('download')
      await dialog.getByRole('button', { name: /^Save .*\.masking\.json$/ }).click()
      const file = readFileSync(await (await started).path(), 'utf8')
      expect(file).not.toContain(KEY)
      expect(JSON.parse(file).notes).toMatch(/^made with REDACTED-1\*+$/)
    },
  )
})

test('exports, presets and test cases', async ({ page, playground }) => {
  await step('exports are copied as shown; a config is read and rewritten', async () => {
    await playground.open()
    await page.getByRole('button', { name: 'Save in another format' }).click()
    await page.getByRole('menuitem', { name: /^Policy and figures/ }).click()
    await page.getByRole('button', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export the policy' })
    await dialog.getByRole('tab', { name: 'LangChain' }).click()
    await expect(dialog).toContainText('It counts results, not turns')
    const preview = dialog.getByRole('textbox', { name: 'Preview: observation-masking.ts' })
    await expect(preview).toHaveValue(/ClearToolUsesEdit/)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(playground.notices).toContainText('Copied: LangChain')
    expect(await clipboard(page)).toBe(await preview.inputValue())
    await expectAccessible(page)

    await dialog.getByRole('tab', { name: 'Command line' }).click()
    const command = dialog.getByRole('textbox', { name: 'Preview: mask.sh' })
    const [, address = ''] = /npm install (\S+)/.exec(await command.inputValue()) ?? []
    const tarball = await page.request.get(address)
    expect([...(await tarball.body()).subarray(0, 2)]).toEqual([0x1f, 0x8b])

    await dialog.getByRole('tab', { name: 'TOML config' }).click()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'config.toml',
      mimeType: 'application/toml',
      buffer: Buffer.from(CONFIG),
    })
    await expect(dialog).toContainText('The policy of config.toml applies now.')
    await expect(dialog).toContainText(
      'Line 7: [observation_masking.schema1] has no setting "colour"',
    )
    const whole = dialog.getByRole('textbox', { name: 'Preview: config.toml' }).last()
    await expect(whole).toHaveValue(CONFIG)
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
    await expect(playground.window).toHaveValue('5')
  })

  await largeStep(
    'a preset is taken, compared with the policy before, and both go into the link',
    async () => {
      await playground.open()
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      const strip = page.getByRole('region', { name: 'Comparison of two policies' })
      await expect(strip).toContainText('A is the current policy')
      await page.getByRole('button', { name: 'Presets' }).click()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use SWE-agent' }).click()
      await expect(strip).toContainText('Window 8 → 5')
      await expect(strip).toContainText(/[\d,]+ tokens → [\d,]+ tokens/)
      await expect(strip).toContainText(/\$[\d.]+ → \$[\d.]+/)
      await expect(page).toHaveURL(/#v=2&w=5&ke=0&p=[^&]+&a=1$/)
      await expectAccessible(page)
      await strip.getByRole('button', { name: /changed decisions?/ }).click()
      await page
        .getByRole('button', { name: /^Show turn \d+/ })
        .first()
        .click()
      await playground.openBytes('cut.json', Buffer.from('{"messages": ['))
      await expect(strip).toContainText('Window 8 → 5')
      await expect(strip).not.toContainText('$')
      await strip.getByRole('button', { name: 'End comparison' }).click()
      await expect(strip).toBeHidden()
    },
  )

  await step('a fixture is a zip of input, policy, expected output and decisions', async () => {
    await playground.open('v=2&s=log-reading')
    const masked = await playground.download()
    await playground.share()
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save fixture' }).click()
    const file = await started
    expect(file.suggestedFilename()).toBe('log-reading.fixture.zip')
    const files = unzipSync(readFileSync(await file.path()))
    expect(Buffer.from(files['expected.json'] as Uint8Array).equals(masked)).toBe(true)
    expect(Object.keys(files)).toContain('decisions.json')
  })

  await largeStep(
    'the embed code shows the sample and its figures in a page of another',
    async () => {
      await playground.open('v=2&w=6&s=log-reading')
      await playground.share()
      await page.getByRole('button', { name: 'Copy embed code' }).click()
      await expect(playground.notices).toContainText('Copied: embed code')
      const code = await clipboard(page)
      await page.route('**/docs-page', (route) =>
        route.fulfill({ contentType: 'text/html', body: `<title>A post</title>${code}` }),
      )
      await page.goto('/docs-page')
      const frame = page.frameLocator('iframe[title]')
      await expect(frame.getByRole('region', { name: 'Verdict' })).toContainText(/saves|costs/)
      const slider = frame.getByRole('slider', { name: 'Window' })
      await expect(slider).toHaveAttribute('aria-valuenow', '6')
      await slider.press('ArrowRight')
      await expect(frame.getByRole('link', { name: 'Open in the playground' })).toHaveAttribute(
        'href',
        /^\/#v=2&w=7&s=log-reading/,
      )
      await expect(frame.getByRole('article').first()).toBeVisible()
      await page.goto('/embed#v=2&s=log-reading')
      await expect(page.getByRole('article').first()).toBeVisible()
      await expectAccessible(page)
    },
  )

  await largeStep('sharing fits a narrow screen', async () => {
    await page.setViewportSize(PHONE)
    await playground.open('v=2&a=1&w=3')
    await playground.share()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.getByRole('tab', { name: 'Vercel AI SDK' }).click()
    await expect(page.getByRole('textbox', { name: /^Preview/ })).toBeVisible()
    await expectAccessible(page)
    await expectFitsPage(page)
  })
})
