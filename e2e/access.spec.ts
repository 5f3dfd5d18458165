import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { PlaygroundPage } from './playground-page'

/** Violations of the page as it stands, as rule and place. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    // The editor's own inside is its makers' to mend.
    .exclude('.monaco-editor')
    .analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page passes the access check, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await new PlaygroundPage(page).open()
    expect(await violations(page)).toEqual([])
  })

  test(`a narrow screen passes the access check and scrolls one way only, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 390, height: 844 })
    await new PlaygroundPage(page).open()
    expect(await violations(page)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Policy', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Policy' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}

for (const width of [1440, 390]) {
  test(`what is kept, saving and forgetting pass the access check, ${width} wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const playground = new PlaygroundPage(page)
    await playground.open()
    for (const name of ['one.json', 'two.json']) {
      await playground.openBytes(name, Buffer.from('[{"role":"user","content":"hello"}]'))
      await expect(page.getByRole('button', { name: new RegExp(name) })).toBeVisible()
      await playground.isKept()
    }
    const recent = await playground.openRecent()
    await expect(recent.getByRole('listitem')).toHaveCount(1)
    expect(await violations(page)).toEqual([])
    await recent.getByRole('button', { name: 'Save session…' }).click()
    await expect(page.getByRole('dialog', { name: 'Save the session as a file' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await (await playground.openRecent())
      .getByRole('button', { name: 'Forget everything…' })
      .click()
    await expect(page.getByRole('dialog', { name: 'Forget everything?' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}

test('a narrow screen reads a pasted transcript without an editor', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const playground = new PlaygroundPage(page)
  await playground.open()
  await expect(page.locator('.monaco-editor')).toHaveCount(0)
  await page.getByRole('button', { name: 'Paste…' }).click()
  await page
    .getByRole('textbox', { name: 'Paste a conversation' })
    .fill('[{"role":"user","content":"pasted on a phone"}]')
  await page.getByRole('button', { name: 'Open it' }).click()
  await expect(page.getByText('pasted on a phone').first()).toBeVisible()
})

test('the worker gives up its network before it sees a text', async ({ page }) => {
  const started = page.waitForEvent('worker', (worker) => !worker.url().includes('editor'))
  await new PlaygroundPage(page).open()
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
