import { expect, test } from './fixtures'

test('the built page starts under its own content security policy', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('./')
  await expect(page).toHaveTitle('Observation Masking Playground')
  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveCount(1)

  // The inline theme script ran.
  await expect(page.locator('html')).toHaveClass(/\bdark\b/)
  // React started: only then does the theme follow the system.
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveClass(/\blight\b/)
})
