import { expect, expectAccessible, expectFitsPage, largeTest, PHONE, test } from './fixtures'

const CONFIG = `[server]
port = 1 # kept

[observation_masking.schema1]
enabled = true
window_turns = 5 # the window
colour = "red"
`

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the exported command installs a package that is there', async ({ page, playground }) => {
  await playground.reuse()
  const dialog = await playground.useIt()
  await dialog.getByRole('tab', { name: 'Command line' }).click()
  const command = dialog.getByRole('textbox', { name: 'Preview: mask.sh' })
  const [, address = ''] = /npm install (\S+)/.exec(await command.inputValue()) ?? []
  const tarball = await page.request.get(address)
  expect([...(await tarball.body()).subarray(0, 2)]).toEqual([0x1f, 0x8b])
})

test('three clicks copy all that a target needs, which is the first one from then on', async ({
  page,
  playground,
}) => {
  await playground.reuse('v=2&w=3')
  await page.evaluate(() => {
    document.addEventListener('click', () => {
      document.body.dataset.clicks = `${Number(document.body.dataset.clicks) + 1}`
    })
  })
  const setClicks = (clicks: number) =>
    page.evaluate((count) => Object.assign(document.body.dataset, { clicks: count }), clicks)
  await setClicks(0)
  const dialog = await playground.useIt()
  await expect(page.locator('body')).toHaveAttribute('data-clicks', '1')
  const names = await dialog.getByRole('tab').allTextContents()
  expect(names.length).toBeGreaterThan(25)
  for (const name of names) {
    // Of the dialog.
    await setClicks(1)
    await dialog.getByRole('tab', { name, exact: true }).click()
    const block = dialog.getByRole('textbox', { name: /^Preview/ })
    await expect(block).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => playground.clipboard(), name).toBe(await block.inputValue())
    await expect(page.locator('body'), name).toHaveAttribute('data-clicks', '3')
  }
  await dialog.getByRole('tab', { name: 'Gemini CLI' }).click()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(playground.notices).toContainText('Copied: Gemini CLI')
  const block = await playground.clipboard()
  for (const part of [
    'window_turns = 3',
    '--target https://generativelanguage.googleapis.com --config policy.toml',
    'cat > ~/.gemini/settings.json',
    'export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787\ngemini\n',
  ])
    expect(block).toContain(part)
  await expectAccessible(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await playground.useIt()
  await expect(dialog.getByRole('tab').first()).toHaveText('Gemini CLI')
  await expect(dialog.getByRole('tab', { name: 'Gemini CLI', selected: true })).toHaveCount(1)
})

test('a session of an agent has the block of that agent at first', async ({ playground }) => {
  await playground.open()
  await playground.chooseSample(/^pi session/)
  await playground.shows(/pi session/)
  const dialog = await playground.useIt()
  await expect(dialog.getByRole('tab', { selected: true })).toHaveText('pi')
  const note =
    /sends to https:\/\/api\.openai\.com\/v1; the open session is for https:\/\/api\.anthropic/
  await expect(dialog).not.toContainText('the open session is for')
  await dialog.getByRole('tab', { name: 'Kilo' }).click()
  await expect(dialog).toContainText(note)
})

test('the language of the placeholder is that of the copied code only', async ({ playground }) => {
  await playground.reuse('v=2&w=3')
  const dialog = await playground.useIt()
  await dialog.getByRole('tab', { name: 'TOML config' }).click()
  await dialog.getByRole('button', { name: 'English', exact: true }).click()
  const code = dialog.getByRole('textbox', { name: 'Preview: config.toml' }).first()
  await expect(code).toHaveValue(/Observation masked/)
  await dialog.getByRole('tab', { name: 'JSON' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Preview: policy.json' })).toHaveValue(
    /Observation masked/,
  )
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(playground.page.getByRole('textbox', { name: 'Placeholder' })).toHaveValue(
    /Observation masquée/,
  )
})

test('on a phone the list of targets fades where it goes on', async ({ page, playground }) => {
  await playground.reuse()
  await page.setViewportSize(PHONE)
  const dialog = await playground.useIt()
  const list = dialog.getByRole('tablist')
  expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
  await expect(list).toHaveCSS('mask-image', /linear-gradient/)
})

test('a config is read and rewritten', async ({ page, playground }) => {
  await playground.reuse()
  const dialog = await playground.useIt()
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
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(playground.button('Use it')).toBeFocused()
  await expect(playground.window).toHaveValue('5')
})

largeTest('a preset is compared, and both go into the link', async ({ page, playground }) => {
  await playground.reuseSample()
  await playground.button('Compare').click()
  const strip = page.getByRole('region', { name: 'Comparison of two policies' })
  await expect(strip).toContainText('A is the current policy')
  await page.getByRole('button', { name: 'Presets' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use The Complexity Trap' }).click()
  await expect(strip).toContainText('Keep last N turns 8 → 10')
  await expect(strip).toContainText(/[\d,]+ tokens → [\d,]+ tokens/)
  await expect(strip).toContainText(/\$[\d.]+ → \$[\d.]+/)
  await expect(page).toHaveURL(/#v=2&w=10&ke=0&a=1$/)
  await expectAccessible(page)
  await strip.getByRole('button', { name: /changed decisions?/ }).click()
  await expect(page.getByRole('slider', { name: 'Messages', exact: true })).toHaveAttribute(
    'aria-valuetext',
    /^Message \d+ of/,
  )
  await playground.openBytes('cut.json', Buffer.from('{"messages": ['))
  await expect(strip).toContainText('Keep last N turns 8 → 10')
  await expect(strip).not.toContainText('$')
  await strip.getByRole('button', { name: 'End comparison' }).click()
  await expect(strip).toBeHidden()
})

largeTest('the embed code shows the sample in another page', async ({ page, playground }) => {
  await playground.open('v=2&w=6&s=log-reading')
  await playground.share()
  await page.getByRole('button', { name: 'Copy embed code' }).click()
  await expect(playground.notices).toContainText('Copied: embed code')
  const code = await playground.clipboard()
  await page.route('**/docs-page', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<title>A post</title>${code}` }),
  )
  await page.goto('/docs-page')
  const frame = page.frameLocator('iframe[title]')
  await expect(frame.getByRole('region', { name: 'Verdict' })).toContainText(/saves|costs/i)
  const slider = frame.getByRole('slider', { name: 'Keep last N turns' })
  await expect(slider).toHaveAttribute('aria-valuenow', '6')
  await slider.press('ArrowRight')
  await expect(frame.getByRole('link', { name: 'Open in the playground' })).toHaveAttribute(
    'href',
    /^\/#v=2&w=7&s=log-reading/,
  )
  await expect(frame.getByRole('article').first()).toBeVisible()
  await page.goto('/?embed#v=2&s=log-reading')
  await expect(page).toHaveURL(/\/embed#v=2&s=log-reading$/)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
})

test('a frame in a sandbox says why it is empty', async ({ page, problems }) => {
  const frame = page.frameLocator('iframe')
  const show = async (sandbox: string) => {
    const body = `<title>A post</title><iframe sandbox="${sandbox}" src="/embed"></iframe>`
    await page.route('**/docs-page', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto('/docs-page')
  }
  await show('')
  await expect(frame.locator('noscript p')).toContainText(
    'needs allow-scripts and allow-same-origin',
  )
  await show('allow-scripts')
  await expect(frame.getByText('Add allow-same-origin to the sandbox')).toBeVisible()
  await page.goto('./icon.svg')
  expect(problems.splice(0).join()).toContain("from origin 'null' has been blocked")
})

largeTest('sharing fits a narrow screen', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)
  await playground.open('v=2&a=1&w=3')
  await playground.share()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await playground.useIt()
  await page.getByRole('tab', { name: 'Vercel AI SDK' }).click()
  await expect(page.getByRole('textbox', { name: /^Preview/ })).toBeVisible()
  await expectAccessible(page)
  await expectFitsPage(page)
})
