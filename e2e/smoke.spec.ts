import { expect, test } from '@playwright/test'

test('the built page comes alive under its own policy and talks to nobody else', async ({
  page,
  baseURL,
}) => {
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const isOwn = origin === new URL(baseURL ?? '').origin || ['data:', 'blob:'].includes(protocol)
    if (!isOwn) foreign.push(request.url())
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`Policy violation: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('./')
  await expect(page).toHaveTitle('Observation Masking Playground')
  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveCount(1)

  // The inline theme script ran.
  await expect(page.locator('html')).toHaveClass(/\bdark\b/)
  // React took the page over: only then does the theme follow the system.
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveClass(/\blight\b/)

  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})
