import type { Locator } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectFitsPage,
  largeTest,
  PHONE,
  test,
} from './fixtures'
import { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

test.describe('a wide screen', () => {
  test('the page passes in both themes', async ({ page, playground }) => {
    await playground.reuse()
    await expect(playground.source).toBeVisible()
    await expectAccessibleInBoth(page)
  })

  largeTest('its menus pass in both', async ({ page, playground }) => {
    await playground.reuse()
    for (const name of ['Colours', 'Save in another format']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      // Where a menu stands in the page is the same for all of them.
      await expectAccessible(page, name === 'Colours' ? undefined : '[role=menu]', {
        colorScheme: 'dark',
      })
      await expectAccessible(page, '[role=menu]', { colorScheme: 'light' })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
    }
  })

  largeTest('so do the help marks and other popovers', async ({ page, playground }) => {
    await playground.reuse()
    for (const name of [
      'Help: Keep last N turns',
      'What this means',
      'Why?',
      'How this is counted',
    ]) {
      await page.getByRole('button', { name, exact: true }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys', exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  largeTest('the dialogs of stored transcripts pass', async ({ page, playground }) => {
    await playground.open()
    for (const name of ['one.json', 'two.json']) {
      await playground.openText(name, [{ role: 'user', content: 'hello' }])
      await playground.isStored()
    }
    const recent = await playground.openDialog()
    await expect(recent.getByRole('list', { name: 'Recent' })).toBeVisible()
    await expectAccessible(page)
    await recent.getByRole('button', { name: 'Save session…' }).click()
    await expect(page.getByRole('dialog', { name: 'Save the session as a file' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await (await playground.openDialog()).getByRole('button', { name: 'Delete all data…' }).click()
    await expect(page.getByRole('dialog', { name: 'Delete all data?' })).toBeVisible()
    await expectAccessible(page)
  })

  test('forced colours show what is on, pressed and chosen', async ({ page, playground }) => {
    await playground.reuse()
    await page.emulateMedia({ forcedColors: 'active' })
    const colourOf = (part: Locator) =>
      part.evaluate((element) => getComputedStyle(element).backgroundColor)
    const masking = page.getByRole('switch', { name: 'Masking' })
    const messages = playground.button('Messages')
    const slider = page
      .locator('input')
      .and(page.getByRole('slider', { name: 'Keep last N turns' }))
    const canvas = await colourOf(page.locator('body'))
    const swatches = await playground.timeline
      .getByRole('list', { name: 'Legend' })
      .locator('svg')
      .evaluateAll(drawn)
    expect(swatches.length).toBeGreaterThan(5)
    expect(new Set(swatches).size).toBe(swatches.length)
    // A cell of the map is as dark as its sign.
    await expect(page.locator('[data-cell]').first()).not.toHaveCSS('text-shadow', 'none')
    await playground.timeline.getByRole('button', { name: /forgotten/ }).click()
    const current = page.getByRole('dialog').locator('[aria-current]')
    await expect(current).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Escape')
    expect(await colourOf(slider.locator('xpath=../..'))).not.toBe(canvas)
    const [isOn, isNotPressed] = [await colourOf(masking), await colourOf(messages)]
    await masking.click()
    await messages.click()
    await expect.poll(() => colourOf(masking)).not.toBe(isOn)
    await expect.poll(() => colourOf(messages)).not.toBe(isNotPressed)
    await expectAccessible(page)
  })

  largeTest(
    'messages that a past request had not yet can be read',
    async ({ page, playground }) => {
      await playground.reuse('v=2&o=messages')
      await page.getByRole('slider', { name: 'Request shown' }).press('Home')
      await expect(page.locator('article[data-unsent]').first()).toBeVisible()
      await expectAccessible(page, 'main')
      await page.getByRole('button', { name: 'Back to the next request' }).click()
    },
  )

  largeTest('figures and texts of an older text can be read', async ({ page, playground }) => {
    await playground.reuse()
    await playground.source.focus()
    await page.keyboard.type('x')
    await expect(page.getByText('could not be read')).toBeVisible()
    await expect(page.locator('.faded').filter({ has: playground.meters })).toHaveCount(1)
    await expectAccessibleInBoth(page, '.faded, #conversation')
    await playground.show('Results')
    await expect(page.getByText('for the last text that could be read')).toBeVisible()
    await expectAccessible(page, '[aria-label="Results"]')
    for (const view of ['Diff', 'Messages']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await expect(page.getByRole('button', { name: view, pressed: true })).toBeVisible()
      await expectAccessible(page, '#conversation')
    }
  })
})

test.describe('a phone', () => {
  test.use({ viewport: PHONE })

  test('the page passes in both themes, and scrolls vertically only', async ({ playground }) => {
    const { page } = playground
    await playground.open()
    await expectAccessibleInBoth(page)
    await expectFitsPage(page)
  })

  test('a notice covers neither the bar nor, once scrolled to, the footer', async ({
    playground,
  }) => {
    const { page } = playground
    await playground.open()
    await playground.follow('v=2&w=3')
    const notice = playground.notices.getByRole('button', { name: 'Dismiss' })
    await expect(notice).toBeVisible()
    // It stays while it has the focus.
    await notice.focus()
    const top = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top)
    const bottom = (part: Locator) =>
      part.evaluate((element) => element.getBoundingClientRect().bottom)
    expect(await bottom(playground.notices)).toBeLessThanOrEqual(
      await top(playground.button('Policy')),
    )
    const footer = page.getByRole('contentinfo')
    // What is found in the session comes later, and makes the page longer.
    const bottomAtEnd = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return bottom(footer)
    }
    await expect.poll(bottomAtEnd).toBeLessThanOrEqual(await top(playground.notices))
    expect(await bottom(playground.notices)).toBeLessThanOrEqual(
      await top(playground.button('Policy')),
    )
    await notice.click()
  })

  test('the sheet of the policy passes in both themes', async ({ page, playground }) => {
    await playground.reuse()
    await playground.button('Policy').click()
    await expect(page.getByRole('dialog', { name: 'Policy' })).toBeVisible()
    await expectAccessibleInBoth(page, '[role=dialog]')
  })

  largeTest('at 400 % it passes in French, and nothing covers it', async ({ page, playground }) => {
    await playground.reuse()
    await page.getByRole('button', { name: 'Français' }).click()
    await playground.button('Plus').click()
    await page.setViewportSize({ width: 768, height: 1024 })
    await expectFitsPage(page)
    await page.setViewportSize({ width: 320, height: 256 })
    await expectFitsPage(page)
    await expectAccessible(page)
    await expect(playground.button('Politique')).not.toBeInViewport()
    await page.getByRole('button', { name: 'English' }).click()
  })

  test('the policy says its cost; Escape closes its help first', async ({ page, playground }) => {
    await playground.reuse()
    await playground.button('Policy').click()
    const policy = page.getByRole('dialog', { name: 'Policy' })
    const cost = policy.getByText(/\$[\d.]+ → \$[\d.]+/)
    const before = await cost.textContent()
    await policy.getByRole('slider', { name: 'Keep last N turns' }).first().press('End')
    await expect(cost).not.toHaveText(before ?? '')
    const help = policy.getByRole('button', { name: 'Help: Keep last N turns' })
    await help.click()
    await expect(page.getByRole('dialog')).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(help).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(policy).toBeHidden()
    await expect(playground.button('Policy')).toBeFocused()
  })

  test('a pasted transcript is read without an editor', async ({ page, playground }) => {
    await playground.open()
    await expect(page.locator('.monaco-editor')).toHaveCount(0)
    const dialog = await playground.openDialog()
    await expectAccessible(page, '[role=dialog]')
    const text = '[{"role":"user","content":"pasted on a phone"}]'
    await dialog.getByRole('textbox', { name: 'Text to open' }).fill(text)
    await playground.button('Open the text').click()
    await expect(dialog).toBeHidden()
    await expect(playground.button('Open…')).toBeFocused()
    await expect(page.getByText('pasted on a phone').first()).toBeVisible()
  })
})

test.describe('a screen that is touched', () => {
  test.use({ viewport: PHONE, contextOptions: { hasTouch: true, isMobile: true } })

  test('nothing in the header overlaps, and opening the details moves nothing', async ({
    openBrowser,
  }) => {
    const playground = new PlaygroundPage(await (await openBrowser()).newPage())
    const { page, badge } = playground
    await playground.open()
    await playground.openText('a-long-name-of-a-session.json', [{ role: 'user', content: 'a' }])
    await expect(playground.button(/^Undo/)).toBeVisible()
    const widthsFit = async (widths: readonly number[]) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        const end = await badge.evaluate((button) => {
          const range = document.createRange()
          const name = [...button.querySelectorAll('span[aria-hidden]')].at(-1)
          range.selectNodeContents(name?.lastChild as Node)
          return range.getBoundingClientRect().right
        })
        expect(end, String(width)).toBeLessThanOrEqual((await boxOf(badge.locator('svg'))).x)
        await expectFitsPage(page)
      }
    }
    await widthsFit([390, 768])
    // Beside the conversations of a document.
    await page.setViewportSize(PHONE)
    await playground.openFile('public/samples/many-runs.jsonl')
    await expect(page.getByRole('combobox', { name: /1 of 7/ })).toBeVisible()
    await widthsFit([390, 640, 768, 1000])
    await page.setViewportSize(PHONE)
    const { height } = await boxOf(page.getByRole('banner'))
    await badge.click()
    await expect(page.getByRole('dialog', { name: 'Document' })).toBeVisible()
    expect((await boxOf(page.getByRole('banner'))).height).toBe(height)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 768, height: 900 })
    await playground.openBytes('broken-history.json', Buffer.from('[{'))
    const state = await boxOf(page.getByText('could not be read'))
    expect(state.x + state.width).toBeLessThan((await boxOf(playground.button(/^Undo/).first())).x)
  })
})

/** What each draws: shapes with their colours. Runs in the page. */
function drawn(pictures: Element[]): string[] {
  return pictures.map((svg) => {
    const shapes = [...svg.querySelectorAll('*')].map((shape) => {
      const { fill, stroke, opacity } = getComputedStyle(shape)
      const lines = ['d', 'x', 'y', 'width', 'height', 'r'].map((name) => shape.getAttribute(name))
      return [shape.tagName, ...lines, fill, stroke, opacity].join(' ')
    })
    return shapes.join('; ')
  })
}
