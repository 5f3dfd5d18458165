import { expect, largeTest, test } from './fixtures'
import { boxOf, enter } from './steps'

test('the verdict offers a better setting, and says why', async ({ page, playground }) => {
  await playground.reuseSample()
  const { meters } = playground
  await expect(meters).toContainText(/Masking.* costs 67% more, at worst \d+%\./)
  await expect(playground.timeline).toContainText(/\$[\d.]+ · \+67% · \d+ forgotten/)
  await page.getByRole('button', { name: 'How this is counted' }).click()
  const details = page.getByRole('dialog')
  await expect(details).toContainText(/\d+% of GPT-5\.1’s context before/)
  await expect(details).toContainText(/Tool results: \d+% → \d+% of the prompt/)
  await expect(details).toContainText(/Re-masking every turn invalidates the cache \d+ times/)
  await page.keyboard.press('Escape')
  await meters.getByRole('button', { name: /^Re-mask at break-even: −\d+%$/ }).click()
  await expect(meters).toContainText(/Masking.* saves \d+%, at worst [\d.]+%\./)
  await page.getByRole('button', { name: 'Why?' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    /saves \d+% of the \d+% that were possible by re-masking at the best turns, known in hindsight; [\d.]+% without losing a later use\./,
  )
  await expect(page.getByRole('dialog')).toContainText(
    /With the misses observed at \w+: \$[\d.]+ to \$[\d.]+, after masking \$[\d.]+ to \$[\d.]+ \(−\d+% to −\d+%\), in 90% of cases/,
  )
  await page.getByRole('button', { name: 'to keep later uses' }).click()
  await expect(page.getByRole('dialog')).toContainText(/95% of the later uses/)
  await page.getByRole('button', { name: 'the cheapest' }).click()
  await page.keyboard.press('Escape')
  // The dialog, which has a choice of the same name, may still be closing.
  const advance = page.getByRole('group', { name: 'When to re-mask' })
  await expect(advance.getByRole('button', { name: 'at break-even', pressed: true })).toBeVisible()
  await expect(
    page.getByText(/Re-masked .*: at turns? .*\.It cost \$[\d.]+ and saved \$[\d.]+ since\./),
  ).toBeVisible()
  await expect(
    page.getByText(
      /^Keeps turns 49–70: the last 8, and older ones until re-masked at break-even\.$/,
    ),
  ).toBeVisible()
  await playground.timeline
    .getByRole('button', { name: /^re-masked (once|twice|\d+ times)$/ })
    .click()
  await expect(playground.timeline.getByRole('slider', { name: 'Messages' })).toHaveAttribute(
    'aria-valuetext',
    /re-masked after this message: cost \$[\d.]+, saved \$[\d.]+ since/,
  )
  await playground.button(/^Undo/).click()
  await expect(page.getByRole('textbox', { name: 'Re-mask every N turns' })).toHaveValue('1')
  await expect(meters).toContainText('costs 67% more')
})

test('the user’s prices count at once, stay, and can be taken back', async ({ playground }) => {
  const { page } = playground
  await playground.reuseSample()
  const firstCost = async () =>
    /\$[\d.]+/.exec((await playground.timeline.textContent()) ?? '')?.[0]
  const listed = (await firstCost()) ?? ''
  await playground.button('Prices').click()
  const input = page.getByRole('textbox', { name: 'Input', exact: true })
  await expect(input).toHaveValue('1.25')
  await input.fill('1,2,5')
  await expect(page.getByText('“1,2,5” is not a number. The value is still 1.25.')).toBeVisible()
  await enter(input, '12,5')
  await expect(input).toHaveValue('12.5')
  await input.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(async () => [listed, undefined].includes(await firstCost())).toBe(false)
  const custom = (await firstCost()) ?? ''
  await page.reload()
  await expect(playground.timeline).toContainText(custom)
  await page.getByRole('button', { name: 'Prices: custom' }).click()
  await page.getByRole('button', { name: 'Reset all of these' }).click()
  await page.keyboard.press('Escape')
  await expect(playground.timeline).toContainText(listed)
})

test('a model is found by typing, counts and is in the link', async ({ page, playground }) => {
  await playground.reuse()
  await page.getByRole('combobox', { name: /^Model:/ }).click()
  await page.keyboard.type('anthropic sonnet 4.6')
  await page
    .getByRole('option', { name: /Claude Sonnet 4\.6/ })
    .first()
    .click()
  await expect(page.getByRole('combobox', { name: /^Model: Claude Sonnet 4\.6/ })).toBeVisible()
  await playground.button('How this is counted').click()
  await expect(page.getByRole('dialog')).toContainText(/The tokenizer of Claude.* is not public/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/m=anthropic%2Fclaude-sonnet-4-6/)
})

test('a model that nobody has breaks nothing; a name stays on one line', async ({
  page,
  playground,
}) => {
  await playground.open('v=2&m=GPT-%2F5')
  const picker = page.getByRole('combobox', { name: 'Model: GPT-/5' })
  await expect(picker.locator('span').first()).toHaveCSS('white-space', 'nowrap')
  await expect(playground.meters).toContainText('No price is known')
  await expect(playground.timeline).toContainText(/[\d,]+ tokens · [+−]\d+%/)
  await picker.click()
  await expect(page.locator('input:focus')).toBeVisible()
  await page.keyboard.type('GPT-/5')
  await expect(page.getByText('No model has that name.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('GPT-5')
  const name = page
    .getByRole('option', { name: /^GPT-5 / })
    .first()
    .getByText('GPT-5')
    .first()
  await expect(name).toHaveCSS('white-space', 'nowrap')
  await page.keyboard.press('Escape')
  await playground.openText('named.json', {
    model: 'GPT-/5',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  await expect(picker).toBeVisible()
})

test('the map marks window and step, reads every setting and sets it', async ({ playground }) => {
  const { page } = playground
  await playground.reuseSample()
  const map = page.getByRole('table', { name: /keep last N turns \(across\)/ })
  const now = map.getByRole('button', { pressed: true })
  await expect(now).toHaveAccessibleName(
    /^Keep last 8, re-mask every turn: \$[\d.]+, \+67%; \+\d+% if what is forgotten is fetched again$/,
  )
  await map
    .getByRole('button', { name: /^Recommended: keep last 8, re-mask at break-even/ })
    .click()
  await expect(now).toHaveText('★')
  await playground.window.fill('16')
  const step = page.getByRole('textbox', { name: 'Re-mask every N turns' })
  await step.fill('1')
  await expect(now).toHaveAccessibleName(
    /^Keep last 16, re-mask every turn: \$[\d.]+, \+\d+%; .* forgotten/,
  )
  await now.focus()
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect(playground.window).toHaveValue('8')
  await expect(step).toHaveValue('4')
  await expect(now).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(map.locator('..')).toContainText('Keep last 8, re-mask every 2 turns')
  // The next test changes the address.
  await expect(page).toHaveURL(/b=4/)
})

test('a cell of the map is previewed by pointer and keys, and nothing else changes', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  // The test before left the pointer on a cell.
  await page.mouse.move(700, 600)
  const map = page.getByRole('table', { name: /keep last N turns \(across\)/ })
  const cell = (name: RegExp) => map.getByRole('button', { name })
  /** Counts what changes in the editors. */
  const watch = () => {
    const seen = { changes: 0 }
    const observer = new MutationObserver((changes) => {
      seen.changes += changes.length
    })
    for (const editor of document.querySelectorAll('.monaco-editor .view-lines'))
      observer.observe(editor, { childList: true, characterData: true, subtree: true })
    return seen
  }
  await expect(playground.output).toBeVisible()
  const isAsBefore = async () => {
    await expect(playground.meters.getByRole('heading')).toContainText('costs 67% more')
    await expect(playground.timeline).toContainText(/\+67% · 20 forgotten/)
  }
  await isAsBefore()
  await expect(page).toHaveURL(/#v=2$/)
  const address = page.url()
  const undo = playground.button(/^Undo/)
  const lastStep = await undo.getAttribute('aria-label')
  const editors = await page.evaluateHandle(watch)
  await cell(/last 4, re-mask every 16 turns/).hover()
  await expect(playground.timeline).toContainText(/−\d+% · \d+ forgotten/)
  await expect(playground.meters.getByRole('heading')).toContainText('saves')
  await expect(playground.window).toHaveValue('8')
  await page.mouse.move(700, 600)
  await isAsBefore()
  await map.getByRole('button', { pressed: true }).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await expect(playground.timeline).not.toContainText('+67%')
  await page.keyboard.press('Escape')
  await isAsBefore()
  await page.keyboard.press('ArrowRight')
  await expect(playground.timeline).not.toContainText('+67%')
  await page.keyboard.press('Tab')
  await isAsBefore()
  expect(page.url()).toBe(address)
  expect(await editors.evaluate(({ changes }) => changes)).toBe(0)
  await expect(undo).toHaveAccessibleName(lastStep ?? '')
  await cell(/last 4, re-mask every 16 turns/).click()
  await expect(playground.window).toHaveValue('4')
  await undo.click()
  await isAsBefore()
})

test('presets have what they cost, are previewed, and set by a press', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  const heading = playground.meters.getByRole('heading')
  await page.getByRole('button', { name: 'Presets' }).focus()
  await page.keyboard.press('Enter')
  const presets = page.getByRole('dialog', { name: 'Presets' })
  const rows = presets.getByRole('listitem')
  await expect(rows.filter({ hasText: '★' })).toContainText(
    /^Cache-friendly★ cheapest\$[\d.]+ \(−19%\) · /,
  )
  await expect(presets.getByText('★')).toHaveCount(1)
  const instrument = await boxOf(playground.timeline)
  expect((await boxOf(presets)).y).toBeGreaterThan(instrument.y + instrument.height)
  const tight = (await rows.nth(1).textContent()) ?? ''
  const [, cost, change] = /(\$[\d.]+) \((.*?%)\) · /.exec(tight) ?? []
  await rows.nth(1).hover()
  await expect(playground.timeline).toContainText(`${cost} · ${change}`)
  await page.setViewportSize({ width: 1100, height: 900 })
  const { y } = await boxOf(presets)
  // Nor does the button change that sets what is recommended.
  const advised = playground.meters.getByRole('button', { name: /^Re-mask at break-even: −19%$/ })
  for (const row of await rows.all()) {
    await row.hover()
    await page.waitForTimeout(120)
    expect((await boxOf(presets)).y).toBe(y)
    await expect(advised).toBeEnabled()
    expect(await advised.count()).toBe(1)
  }
  await page.mouse.move(1090, 880)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(heading).toContainText('costs 67% more')
  await presets.getByRole('button', { name: 'Use The Complexity Trap' }).focus()
  await page.keyboard.press('Shift')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(playground.timeline).not.toContainText('+67%')
  await page.keyboard.press('Escape')
  await expect(presets).toBeHidden()
  await expect(page.getByRole('button', { name: 'Presets' })).toBeFocused()
  await expect(heading).toContainText('costs 67% more')
  await expect(playground.window).toHaveValue('8')
  await page.keyboard.press('Enter')
  await presets.getByRole('button', { name: 'Use Tight' }).click()
  await expect(presets).toBeHidden()
  await expect(playground.window).toHaveValue('3')
  await expect(playground.timeline).toContainText(`${cost} · ${change}`)
  await playground.button(/^Undo/).click()
  await expect(heading).toContainText('costs 67% more')
})

test('where nothing saves, verdict, presets, picture and figures say so, and why', async ({
  page,
  playground,
}) => {
  const reason = 'no setting keeping at least 8 turns is sure to save'
  await playground.open('v=2&s=data-analysis&e=0')
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toHaveText(new RegExp(`^Leave masking off: ${reason}\\.\\s*Why\\?$`))
  await expect(verdict.getByRole('button')).toHaveCount(1)
  // Only the verdict says what to do about it.
  await expect(page.getByText('Nothing is masked')).toHaveCount(0)
  await expect(playground.timeline).toContainText('cost if masked up to here')
  await page.getByRole('button', { name: 'Presets' }).click()
  const presets = page.getByRole('dialog', { name: 'Presets' })
  await expect(presets).toContainText('None of them saves here.')
  await expect(presets.getByText('★')).toHaveCount(0)
  await page.keyboard.press('Escape')
  const dialog = await playground.share()
  await expect(
    dialog.getByRole('img', { name: `Leave masking off ${reason} · $0.0598, 26 turns` }),
  ).toBeVisible()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Present' }).click()
  const figures = await opening
  await expect(figures.getByRole('main')).toContainText(
    `Leave masking off: ${reason}. The input of this session costs $0.0598`,
  )
  await figures.close()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Masking' }).click()
  await expect(verdict).toHaveText(
    /Masking.* costs \d+% more, at worst \d+%\.\s*Turn masking off\s*Why\?/,
  )
  await expect(playground.timeline).not.toContainText('cost if masked up to here')
})

test('Escape takes back a drag of the edge, and leaves no step to undo', async ({
  page,
  playground,
}) => {
  await playground.open('v=2&s=coding-session')
  const edge = playground.timeline.getByRole('slider', { name: /last turns that are kept/ })
  const { middle } = await boxOf(edge)
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x - 200, middle.y, { steps: 4 })
  await expect(playground.window).not.toHaveValue('8')
  await page.keyboard.press('Escape')
  await expect(playground.window).toHaveValue('8')
  await page.mouse.move(middle.x - 300, middle.y, { steps: 4 })
  await page.mouse.up()
  await expect(playground.window).toHaveValue('8')
  await expect(playground.button('Undo')).toBeDisabled()
})

test('an earlier request can be shown, and left with Escape', async ({ page, playground }) => {
  await playground.reuseSample()
  await expect(playground.meters).toContainText('130 of 150 tool results')
  const whole = await playground.download()
  const handle = page.getByRole('slider', { name: 'Request shown' })
  await expect(handle).toHaveAttribute('aria-valuetext', /next request, after 72 requests/)
  await handle.focus()
  for (let page10 = 0; page10 < 3; page10++) await page.keyboard.press('PageDown')
  await expect(playground.meters).toContainText('Request 43 of 72')
  await expect(page.locator('.mark-selected').first()).toBeVisible()
  await expect(playground.timeline).toContainText('67 masked')
  const line = page.getByRole('region', { name: 'Earlier request' })
  await expect(line).toContainText(
    '8,576 tokens read from the cache, 5,888 written to it, 4 uncached. It first differs from request 42 at message 105',
  )
  expect((await playground.download()).equals(whole)).toBe(true)
  await line.getByRole('button', { name: 'message 105' }).click()
  await page.keyboard.press('Escape')
  await expect(line).toBeHidden()
  await expect(playground.meters).toContainText('130 of 150 tool results')
  await expect(playground.timeline).toContainText('130 masked')
})

largeTest('the mark at the end is dragged to an earlier request', async ({ page, playground }) => {
  await playground.reuseSample()
  const strip = await boxOf(page.getByRole('slider', { name: 'Messages' }))
  await page.mouse.move(strip.x + strip.width, strip.y + strip.height + 3)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width / 2, strip.y + strip.height, { steps: 6 })
  await page.mouse.up()
  await expect(playground.meters).toContainText(/Request 3\d of 72/)
  await page.getByRole('button', { name: 'Back to the next request' }).click()
  await expect(playground.meters).toContainText('Next request')
})
