/** Steps on any page: they need no page object. */
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'

/** Name and bytes of the file that is downloaded when this is clicked. */
export async function savedBy(button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const started = button.page().waitForEvent('download')
  await button.click()
  const file = await started
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** Fills a field and confirms it. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

/** The place of a part on the screen, with its middle. */
export async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('This has no place on the page.')
  return { ...box, middle: { x: box.x + box.width / 2, y: box.y + box.height / 2 } }
}

/** Deletes what the pages of an origin have stored. */
export async function deleteStorage(page: Page, origin: string): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await client.detach()
}

/** Prints a report on A4. */
export async function expectOnePage(report: Page): Promise<void> {
  await report.emulateMedia({ media: 'print' })
  const pdf = await report.pdf({ preferCSSPageSize: true, printBackground: true })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
}
