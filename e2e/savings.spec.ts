import { expect, test } from '@playwright/test'
import { CORPUS, corpusFile, PlaygroundPage } from './playground-page'

test('the whole session has two figures, and a dearer one offers a better setting', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const { meters } = playground
  await expect(meters).toContainText('Whole session, 72 requests, no caching')
  await expect(meters).toContainText(/\$2\.19→?\$1\.15\s*−47%/)
  await expect(meters).toContainText('breaks the cached prefix 59 times')
  await expect(meters).toContainText('Masking like this costs more than sending everything.')
  await meters.getByRole('button', { name: 'Use them' }).click()
  await expect(meters).not.toContainText('costs more')
  await expect(meters).toContainText('No window of 8 turns or more is cheaper.')
  await expect(page.getByRole('textbox', { name: 'Move it every' })).toHaveValue('16')
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('textbox', { name: 'Move it every' })).toHaveValue('1')
  await expect(meters).toContainText('costs more')
  expect(playground.complaints).toEqual([])
})

test('the first figure keeps characters, masked results and messages, and the share of results', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await expect(playground.meters).toContainText('130 of 150 results, 130 of 225 messages masked')
  await expect(playground.meters).toContainText(/141,313 → 73,147 characters, −48%/)
  await expect(playground.meters).toContainText(/results 69% → 44% of tokens/)
})

test('a model is found by typing, changes the figures and goes into the link', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('combobox', { name: /^Model:/ }).click()
  await page.keyboard.type('anthropic sonnet 4.6')
  await page
    .getByRole('option', { name: /Claude Sonnet 4\.6/ })
    .first()
    .click()
  await expect(playground.meters).toContainText('Claude Sonnet 4.6’s context')
  await expect(playground.meters).toContainText('estimate')
  await expect(page).toHaveURL(/m=anthropic%2Fclaude-sonnet-4-6/)
})

test('own prices count at once, stay in the browser, and can be taken back', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('button', { name: 'Prices', exact: true }).click()
  const input = page.getByRole('textbox', { name: 'Input', exact: true })
  await expect(input).toHaveValue('1.25')
  await input.fill('12.5')
  await input.press('Enter')
  await page.keyboard.press('Escape')
  await expect(playground.meters).toContainText('$21.89')
  await page.reload()
  await expect(playground.meters).toContainText('$21.89', { timeout: 20_000 })
  await page.getByRole('button', { name: 'Prices: yours' }).click()
  await page.getByRole('button', { name: 'Reset all of these' }).click()
  await page.keyboard.press('Escape')
  await expect(playground.meters).toContainText('$2.19')
})

test('a model of one’s own shows dashes, never zero, until its prices are known', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('button', { name: 'Prices', exact: true }).click()
  await page.getByRole('textbox', { name: 'Add a model of your own' }).fill('our-model')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Prices of our-model')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(playground.meters).toContainText('Not every price of our-model is known')
  await expect(playground.meters).not.toContainText('$')
})

test('the chart follows window and batch, and its table sets them', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const chart = page.getByRole('img', { name: /^Cost of the session with caching, by window/ })
  await expect(chart).toHaveAccessibleName(
    /As set, window 8 ?: \$0\.4625\. Best, window 8 in batches of 16/,
  )
  const slider = page.getByRole('slider', { name: 'Window', exact: true })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(chart).toHaveAccessibleName(/As set, window 9 in batches of 4/)
  const box = await chart.boundingBox()
  if (box === null) throw new Error('The chart has no box.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(playground.window).toHaveValue('35')
  await page.getByRole('button', { name: 'The numbers, as a table' }).click()
  const row = page.getByRole('row', { name: /^12 / })
  await row.getByRole('button').first().click()
  await page.keyboard.press('Escape')
  await expect(playground.window).toHaveValue('12')
  await expect(chart).toHaveAccessibleName(/As set, window 12 ?:/)
})

test('an earlier request can be looked back at, and left with Escape', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const whole = await playground.download()
  const handle = page.getByRole('slider', { name: 'Request shown' })
  await expect(handle).toHaveAttribute('aria-valuetext', /next request, after 72 requests/)
  await handle.focus()
  for (let page10 = 0; page10 < 3; page10++) await page.keyboard.press('PageDown')
  await expect(playground.meters).toContainText('Request 43 of 72')
  await expect(playground.meters).toContainText('67 of 88 results, 67 of 132 messages masked')
  await expect(playground.timeline).toContainText('67 masked')
  const line = page.getByRole('region', { name: 'The request looked back at' })
  await expect(line).toContainText(
    '8,576 tokens read from the cache, 5,888 written to it, 4 fresh. It first differs from request 42 at message 105',
  )
  expect((await playground.download()).equals(whole)).toBe(true)
  await line.getByRole('button', { name: 'message 105' }).click()
  await page.keyboard.press('Escape')
  await expect(line).toBeHidden()
  await expect(playground.meters).toContainText('130 of 150 results')
  await expect(playground.timeline).toContainText('130 masked')
  expect(playground.complaints).toEqual([])
})

test('the mark at the end is dragged to look back', async ({ page }) => {
  const playground = new PlaygroundPage(page)
  await playground.open()
  const strip = await page.getByRole('slider', { name: 'Messages' }).boundingBox()
  if (strip === null) throw new Error('The strip has no box.')
  await page.mouse.move(strip.x + strip.width, strip.y + strip.height + 3)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width / 2, strip.y + strip.height, { steps: 6 })
  await page.mouse.up()
  await expect(playground.meters).toContainText(/Request 3\d of 72/)
  await page.getByRole('button', { name: 'Back to the next request' }).click()
  await expect(playground.meters).toContainText('Next request')
})

test.describe('published transcripts', () => {
  test.skip(corpusFile('openai-chat') === undefined, `no published transcripts at ${CORPUS}`)

  test('267 turns: figures and chart stay live under a drag', async ({ page }) => {
    const playground = new PlaygroundPage(page)
    await playground.open()
    await playground.openFile(corpusFile('openai-chat/long-parallel-calls.json') as string)
    await expect(playground.meters).toContainText('Whole session, 290 requests', {
      timeout: 30_000,
    })
    const chart = page.getByRole('img', { name: /^Cost of the session/ })
    await expect(chart).toHaveAccessibleName(/As set/, { timeout: 30_000 })
    const box = await chart.boundingBox()
    if (box === null) throw new Error('The chart has no box.')
    await page.evaluate(() => {
      const frames: number[] = []
      Object.assign(globalThis, { frames })
      let last = performance.now()
      const next = () => {
        const now = performance.now()
        frames.push(now - last)
        last = now
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })
    await page.mouse.move(box.x + 8, box.y + 40)
    await page.mouse.down()
    const texts = new Set<string>()
    for (let step = 0; step < 40; step++) {
      await page.mouse.move(box.x + 8 + step * 5, box.y + 40)
      texts.add((await playground.meters.textContent()) ?? '')
    }
    await page.mouse.up()
    const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)
    frames.sort((a, b) => a - b)
    const middle = frames[Math.floor(frames.length / 2)] as number
    console.log(
      `drag: median frame ${Math.round(middle)} ms, longest ${Math.round(frames.at(-1) as number)} ms`,
    )
    expect(texts.size).toBeGreaterThan(20)
    expect(middle).toBeLessThan(250)
  })
})
