import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectFitsPage, largeStep, PHONE, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'

const { step } = test

/** Checks the lists of stored transcripts and the dialogs that save and delete them. */
async function expectStorageAccessible(page: Page, playground: PlaygroundPage): Promise<void> {
  for (const name of ['one.json', 'two.json']) {
    await playground.openBytes(name, Buffer.from('[{"role":"user","content":"hello"}]'))
    await expect(page.getByRole('button', { name: new RegExp(name) })).toBeVisible()
    await playground.isStored()
  }
  const recent = await playground.openRecent()
  await expect(recent.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await recent.getByRole('button', { name: 'Save session…' }).click()
  await expect(page.getByRole('dialog', { name: 'Save the session as a file' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await (await playground.openRecent()).getByRole('button', { name: 'Delete all data…' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete all data?' })).toBeVisible()
  await expectAccessible(page)
}

test('a wide screen passes the accessibility check', async ({ page, playground }) => {
  const started = page.waitForEvent('worker', (worker) => !worker.url().includes('editor'))

  await step('the page passes in light colours', async () => {
    await playground.open()
    await expectAccessible(page, undefined, { colorScheme: 'light' })
  })

  await step('the page passes in dark colours', async () => {
    await expectAccessible(page, undefined, { colorScheme: 'dark' })
  })

  await largeStep('its menus pass in both', async () => {
    for (const name of ['Samples', 'More ways to open', 'Colours', 'Save in another format']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      // Where a menu stands in the page is the same for all of them.
      await expectAccessible(page, name === 'Samples' ? undefined : '[role=menu]', {
        colorScheme: 'dark',
      })
      await expectAccessible(page, '[role=menu]', { colorScheme: 'light' })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
    }
  })

  await largeStep('so do the help marks and other popovers', async () => {
    for (const name of ['Help: Window', 'What this means', 'Why?', 'Will it work as well?']) {
      await page.getByRole('button', { name, exact: true }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })

  await largeStep('a button is found by name, and pressed', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog', { name: 'Commands and keys' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.type('diff')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Diff', pressed: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Conversation and what is sent/ })).toHaveCount(
      2,
    )
    await expectAccessible(page)
  })

  await largeStep('the lists and dialogs of stored transcripts pass', () =>
    expectStorageAccessible(page, playground),
  )

  await step('the worker has no way to the network', async () => {
    const worker = await started
    const left = await worker.evaluate(() => {
      const names = [
        'fetch',
        'XMLHttpRequest',
        'WebSocket',
        'EventSource',
        'importScripts',
        'WebTransport',
        'caches',
      ]
      const scope = globalThis as unknown as Record<string, unknown>
      return names.filter((name) => scope[name] !== undefined)
    })
    expect(left).toEqual([])
  })

  await step('figures and texts of an older text can be read', async () => {
    await playground.open()
    await playground.source.focus()
    await page.keyboard.type('x')
    await expect(page.getByText('could not be read')).toBeVisible()
    await expect(page.locator('.faded').filter({ has: playground.meters })).toHaveCount(1)
    await expectAccessible(page, undefined, { colorScheme: 'light' })
    await expectAccessible(page, undefined, { colorScheme: 'dark' })
    await playground.drawerOpener('Results').click()
    const drawer = page.getByRole('region', { name: 'Results', exact: true })
    await expect(drawer).toContainText('for the last text that could be read')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    for (const view of ['Diff', 'Messages']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await expect(page.getByRole('button', { name: view, pressed: true })).toBeVisible()
      await expectAccessible(page)
    }
  })

  await step('so can messages that a past request had not yet', async () => {
    await playground.open()
    await page.getByRole('button', { name: 'Messages', exact: true }).click()
    const field = page.getByRole('spinbutton', { name: 'Go to request' })
    await field.fill('2')
    await field.press('Enter')
    await expect(page.locator('article[data-unsent]').first()).toBeVisible()
    await expectAccessible(page)
  })

  await step('forced colours show what is on, pressed and chosen', async () => {
    await playground.open()
    await page.emulateMedia({ forcedColors: 'active' })
    const colourOf = (part: Locator) =>
      part.evaluate((element) => getComputedStyle(element).backgroundColor)
    const masking = page.getByRole('switch', { name: 'Masking' })
    const messages = page.getByRole('button', { name: 'Messages', exact: true })
    const slider = page.locator('input').and(page.getByRole('slider', { name: 'Window' }))
    const canvas = await colourOf(page.locator('body'))
    expect(await colourOf(slider.locator('xpath=../..'))).not.toBe(canvas)
    const [isOn, isNotPressed] = [await colourOf(masking), await colourOf(messages)]
    await masking.click()
    await messages.click()
    await expect.poll(() => colourOf(masking)).not.toBe(isOn)
    await expect.poll(() => colourOf(messages)).not.toBe(isNotPressed)
    await expectAccessible(page)
    await page.emulateMedia({ forcedColors: 'none' })
  })
})

test('a phone passes the accessibility check', async ({ page, playground }) => {
  await page.setViewportSize(PHONE)

  await step('page and policy pass in both themes, and scroll vertically only', async () => {
    await playground.open()
    await expectAccessible(page, undefined, { colorScheme: 'light' })
    await expectAccessible(page, undefined, { colorScheme: 'dark' })
    await expectFitsPage(page)
    await page.getByRole('button', { name: 'Policy', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Policy' })).toBeVisible()
    await expectAccessible(page, undefined, { colorScheme: 'dark' })
    await expectAccessible(page, undefined, { colorScheme: 'light' })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Policy' })).toBeHidden()
  })

  await step('at 400 % too, in French, where nothing covers the page', async () => {
    await page.getByRole('button', { name: 'Français' }).click()
    await page.getByRole('button', { name: 'Plus', exact: true }).click()
    await page.setViewportSize({ width: 768, height: 1024 })
    await expectFitsPage(page)
    await page.setViewportSize({ width: 320, height: 256 })
    await expectFitsPage(page)
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: 'Politique', exact: true })).not.toBeInViewport()
    await page.getByRole('button', { name: 'English' }).click()
    await page.setViewportSize(PHONE)
  })

  await step('its second row of buttons closes by what is done next', async () => {
    const more = page.getByRole('button', { name: 'More', exact: true })
    const isOpen = (expected: boolean) =>
      expect(more).toHaveAttribute('aria-expanded', String(expected))
    await isOpen(false)
    await more.click()
    const samples = page.getByRole('button', { name: 'Samples', exact: true })
    await samples.focus()
    await page.keyboard.press('Escape')
    await isOpen(false)
    await expect(more).toBeFocused()
    await more.click()
    await samples.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(samples).toBeFocused()
    await isOpen(true)
    await samples.click()
    await page.getByRole('menuitem').nth(1).click()
    await isOpen(false)
    await expect(more).toBeFocused()
    await more.click()
    await page.getByRole('button', { name: 'Policy', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Policy' })).toBeVisible()
    await expect(samples).toBeHidden()
  })

  await step('the policy says what it costs, and Escape closes its help first', async () => {
    const policy = page.getByRole('dialog', { name: 'Policy' })
    const cost = policy.getByText(/^before \$.*after/)
    const before = await cost.textContent()
    await policy.getByRole('slider', { name: 'Window' }).first().press('End')
    await expect(cost).not.toHaveText(before ?? '')
    const help = policy.getByRole('button', { name: 'Help: Window' })
    await help.click()
    await expect(page.getByRole('dialog')).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(help).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(policy).toBeHidden()
    await expect(page.getByRole('button', { name: 'Policy', exact: true })).toBeFocused()
    await playground.open()
  })

  await largeStep('the lists and dialogs of stored transcripts pass', async () => {
    await expectStorageAccessible(page, playground)
  })

  await step('a pasted transcript is read without an editor', async () => {
    await playground.open()
    await expect(page.locator('.monaco-editor')).toHaveCount(0)
    await page.getByRole('button', { name: 'Paste…' }).click()
    await page
      .getByRole('textbox', { name: 'Paste a conversation' })
      .fill('[{"role":"user","content":"pasted on a phone"}]')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByText('pasted on a phone').first()).toBeVisible()
  })
})
