import { IS_LARGE } from '../lib/core/testing/test-size'
import { expectLightFirstView, watchFirstView } from './first-view'
import { expect, expectFitsPage, test } from './fixtures'
import { PlaygroundPage } from './playground-page'

test('the built page starts under its own content security policy', async ({ visitor: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('./')
  await expect(page).toHaveTitle('Observation Masking Playground')
  await expect(page.locator('meta[http-equiv][content*="script-src"]')).toHaveCount(1)

  // The inline theme script ran.
  await expect(page.locator('html')).toHaveClass(/\bdark\b/)
  // React started: only then does the theme follow the system.
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveClass(/\blight\b/)
})

test('next to nothing moves in the first view, at any width', async ({ visitor: page }) => {
  await watchFirstView(page)
  for (const width of IS_LARGE ? [390, 768, 1024, 1280, 1920] : [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('./')
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('As set')
    await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
    await expectLightFirstView(page)
  }
})

test('a French browser gets a French page; another language keeps the document', async ({
  visitor: page,
}) => {
  const playground = new PlaygroundPage(page)
  const client = await page.context().newCDPSession(page)
  const userAgent = await page.evaluate(() => navigator.userAgent)
  await client.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'fr-FR' })
  await watchFirstView(page)
  await page.goto('./')
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toContainText(/Ce réglage (économise|coûte) \d+\s%/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.getByText('Requête suivante').first()).toBeVisible()
  await expectLightFirstView(page)
  await expectFitsPage(page)

  await page.goto('./#v=2&w=3&s=log-reading')

  await page.getByRole('button', { name: 'English' }).click()
  await expect(verdict).toContainText(/As set, this (saves|costs) \d+%/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(playground.badge).toHaveAccessibleName(/log-reading\.json/)
  await expect(playground.window).toHaveValue('3')
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(verdict).toContainText(/Ce réglage (économise|coûte)/)

  await page.goto('./help')
  await page.waitForLoadState('networkidle')
  await expect(page).toHaveTitle('Comment fonctionne le masquage · Observation Masking')
  await client.detach()
})
