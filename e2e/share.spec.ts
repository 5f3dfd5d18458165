import { expect, expectAccessible, expectSeenInForcedColours, largeTest, test } from './fixtures'
import { PlaygroundPage } from './playground-page'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the link holds no transcript, and says how long it is', async ({ page, playground }) => {
  await playground.open('v=2&s=many-runs&c=3')
  await expect(page.getByRole('combobox', { name: /3 of 7/ })).toBeVisible()
  await playground.setWindow(3)
  await playground.share()
  const link = page.getByRole('textbox', { name: 'Link with the settings' })
  await expect(link).toHaveValue(/#v=2&w=3&s=many-runs&c=3$/)
  await link.focus()
  expect(await link.evaluate((field: HTMLInputElement) => field.scrollLeft)).toBe(0)
  const text = await link.inputValue()
  await expect(
    page.getByText(/In it: the policy.* Not in it: your transcript and its figures/),
  ).toBeVisible()
  await expect(page.getByText(`${text.length} characters`).first()).toBeVisible()
  await page.getByRole('button', { name: 'Copy settings link' }).click()
  await expect(playground.notices).toContainText('with the settings, no transcript')
  expect(await playground.clipboard()).toBe(text)
})

test('the timeline is copied as a picture of the size that networks show', async ({
  page,
  playground,
}) => {
  await playground.reuseSample()
  const dialog = await playground.share()
  await expect(dialog.getByRole('img', { name: /%.* for 70 turns/ })).toBeVisible()
  await expectAccessible(page, '[role=dialog]')
  await page.getByRole('button', { name: 'Copy image' }).click()
  await expect(playground.notices).toContainText('the picture')
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const { width, height } = await createImageBitmap(
      await (item as ClipboardItem).getType('image/png'),
    )
    return [width, height]
  })
  expect(size).toEqual([1200, 630])
  await page.keyboard.press('Escape')
  await expectSeenInForcedColours(page, async () => {
    const preview = (await playground.share()).getByRole('img', { name: /%.* for 70 turns/ })
    const source = await preview.getAttribute('src')
    await page.keyboard.press('Escape')
    await expect(preview).toBeHidden()
    return decodeURIComponent(source ?? '')
  })
})

test('the cards show what the receiver then sees', async ({ openBrowser, page, playground }) => {
  await playground.open('v=2&s=data-analysis&w=4&b=3&x=bash')
  const dialog = await playground.share()
  const settings = dialog.getByRole('region', { name: 'Settings link' })
  await expect(settings).toContainText(
    'Keep last 4 turns, re-masked every 3 turns, 1 other setting',
  )
  const address = await settings.getByRole('textbox').inputValue()
  const said = (await dialog.getByRole('img', { name: /%/ }).getAttribute('alt')) ?? ''
  await page.getByRole('button', { name: 'Copy figures link' }).click()
  const figures = await playground.clipboard()

  const reader = await openBrowser()
  const other = new PlaygroundPage(await reader.newPage())
  await other.page.goto(address)
  await other.shows(/data-analysis/)
  await expect(other.window).toHaveValue('4')
  await expect(other.page.getByRole('textbox', { name: 'Re-mask every N turns' })).toHaveValue('3')
  await other.page.goto(figures)
  const [, change, costs, turns] = /^(\S+) (.* → \S+) for (\d+) turns/.exec(said) ?? []
  const model = said.split(' · ').at(-1) ?? ''
  for (const words of [
    `${costs} ${change}`,
    `${turns} tool turns`,
    `older than the last 4 turns`,
    model,
  ])
    await expect(other.page.getByRole('main')).toContainText(words)
})

test('it shows the names of tools that the link contains', async ({ page, playground }) => {
  await playground.reuse()
  await playground.follow('v=2&x=bash,read_file')
  await playground.share()
  await expect(page.getByText('It names the 2 tools you excluded: bash, read_file')).toBeVisible()
  await page.keyboard.press('Escape')
  await playground.button('Restore the previous settings').click()
  await expect(page).not.toHaveURL(/read_file/)
})

test('Back undoes a choice; a drag adds no history entry', async ({ visitor: page }) => {
  // A tab keeps 50 entries: the history of one that many tests have used no longer grows.
  const playground = new PlaygroundPage(page)
  await playground.open()
  await page.getByRole('slider', { name: 'Keep last N turns', exact: true }).focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/#v=2&w=12$/)
  const length = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Diff' }).click()
  await expect(page).toHaveURL(/#v=2&w=12&o=diff$/)
  expect(await page.evaluate(() => history.length)).toBe(length)
  await playground.button('every N turns').click()
  await expect(page).toHaveURL(/#v=2&w=12&b=16&o=diff$/)
  expect(await page.evaluate(() => history.length)).toBe(length + 1)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Diff', pressed: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Re-mask every N turns' })).toHaveValue('1')
  await expect(playground.window).toHaveValue('12')
  await expect(playground.notices).not.toContainText('link')
})

largeTest(
  'going back and forward at once does not reload the page',
  async ({ page, playground }) => {
    await playground.reuse('v=2&w=6')
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
  },
)
