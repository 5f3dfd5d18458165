import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** Published transcripts beside the project; tests that need them skip where they are not. */
export const CORPUS = process.env.CORPUS ?? resolve(import.meta.dirname, '../../shared/corpus')

/** A transcript of the corpus; undefined where the folder is absent. */
export function corpusFile(name: string): string | undefined {
  const path = join(CORPUS, name)
  return existsSync(path) ? path : undefined
}

/** The page as its users meet it: by role and label. */
export class PlaygroundPage {
  readonly page: Page
  /** Errors and warnings of the console, and errors of the page. */
  readonly complaints: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(error.message))
  }

  /** Opens the page and waits until its first sample is counted. */
  async open(fragment = ''): Promise<void> {
    await this.page.goto(fragment === '' ? './' : `./#${fragment}`)
    await this.isCounted()
  }

  /** Waits until the figures of the next request are there. */
  async isCounted(): Promise<void> {
    await expect(this.meters).toContainText(/\d tokens/, { timeout: 30_000 })
  }

  get meters(): Locator {
    return this.page.getByRole('region', { name: 'What it saves' })
  }

  get timeline(): Locator {
    return this.page.getByRole('region', { name: 'Timeline of the conversation' })
  }

  get notices(): Locator {
    return this.page.getByRole('region', { name: 'Notices' })
  }

  get source(): Locator {
    return this.page.getByRole('textbox', { name: /^Conversation, editable/ })
  }

  get output(): Locator {
    return this.page.getByRole('textbox', { name: /^What is sent/ })
  }

  get files(): Locator {
    return this.page.getByRole('region', { name: 'Files', exact: true })
  }

  /** The dialog of broken arguments. */
  get repairs(): Locator {
    return this.page.getByRole('dialog', { name: 'Arguments', exact: true })
  }

  /** What was opened and what it was recognised as, and the way to more. */
  get badge(): Locator {
    return this.page.getByRole('button', { name: /^What was recognised: / })
  }

  /** The choice of the format to read as, in what the badge opens. */
  get formatChoice(): Locator {
    return this.page.getByRole('combobox', { name: 'Read it as' })
  }

  /** What opens a drawer at the bottom of the page, or closes it. */
  drawerOpener(name: 'Savings' | 'Loop'): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${name}`) })
  }

  /** The Loop drawer: under the panes, or the sheet of a narrow screen. */
  get loop(): Locator {
    return this.page
      .getByRole('region', { name: 'Loop', exact: true })
      .or(this.page.getByRole('dialog', { name: 'Loop', exact: true }))
  }

  /** What was found in the conversation shown. */
  get findings(): Locator {
    return this.loop.getByRole('table', { name: 'What was found' })
  }

  /** One guard with its switch and its limits. */
  guard(name: string): Locator {
    return this.loop.getByRole('group', { name, exact: true })
  }

  get window(): Locator {
    return this.page.getByRole('textbox', { name: 'Window' })
  }

  async setWindow(turns: number): Promise<void> {
    await this.window.fill(String(turns))
    await this.window.press('Enter')
  }

  async openFile(path: string): Promise<void> {
    await this.page.locator('input[type=file]').first().setInputFiles(path)
  }

  async openBytes(name: string, bytes: Buffer): Promise<void> {
    const file = { name, mimeType: 'application/octet-stream', buffer: bytes }
    await this.page.locator('input[type=file]').first().setInputFiles(file)
  }

  /** Opens a sample by the beginning of its line in the menu. */
  async chooseSample(line: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'Samples', exact: true }).click()
    await this.page.getByRole('menuitem', { name: line }).click()
  }

  /** Drops a file in the middle of the page. */
  async dropFile(path: string): Promise<void> {
    await this.dropFiles([{ name: basename(path), bytes: readFileSync(path) }])
  }

  /** Drops several files at once in the middle of the page. */
  async dropFiles(files: readonly { readonly name: string; readonly bytes: Buffer }[]) {
    const data = await this.page.evaluateHandle(
      (given) => {
        const transfer = new DataTransfer()
        for (const { name, base64 } of given) {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
          transfer.items.add(new File([bytes], name))
        }
        return transfer
      },
      files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
    )
    const target = this.page.getByRole('main')
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await target.dispatchEvent(type, { dataTransfer: data })
    }
  }

  /** Puts a text in the place of the whole source, as pasting over it does. */
  async paste(text: string): Promise<void> {
    await this.source.focus()
    await this.page.keyboard.press('ControlOrMeta+A')
    // One event, as from the clipboard: inserted text is typed by the editor character by character.
    await this.source.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      const event = { clipboardData, bubbles: true, cancelable: true }
      element.dispatchEvent(new ClipboardEvent('paste', event))
    }, text)
  }

  /** Opens what the policy can be taken along by. */
  async share(): Promise<void> {
    await this.page.getByRole('button', { name: 'Share', exact: true }).click()
  }

  /** The bytes the page's download gives. */
  async download(): Promise<Buffer> {
    const started = this.page.waitForEvent('download')
    await this.page.getByRole('button', { name: 'Download', exact: true }).click()
    const file: Download = await started
    return readFileSync(await file.path())
  }

  /** The dialog that saves the conversation as chat completions, opened from the output's header. */
  async openSaveAsChat(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Save in another format' }).click()
    await this.page.getByRole('menuitem', { name: /Save as OpenAI chat/ }).click()
    return this.saveAsChat()
  }

  /** The same dialog, opened from what was recognised: the way there is on a phone. */
  async openSaveAsChatFromDetails(): Promise<Locator> {
    await this.page
      .getByRole('button', { name: /messages.*results/ })
      .first()
      .click()
    await this.page.getByRole('button', { name: 'Save as OpenAI chat…' }).click()
    return this.saveAsChat()
  }

  /** The file that dialog saves: its name, and its bytes. */
  async saveAsChatFile(
    dialog: Locator,
  ): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const started = this.page.waitForEvent('download')
    await dialog.getByRole('button', { name: /^Save .+json$/ }).click()
    const file: Download = await started
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }

  private async saveAsChat(): Promise<Locator> {
    const dialog = this.page.getByRole('dialog', { name: 'Save as OpenAI chat' })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** What the page keeps in the browser: the dialog that lists it, opened. */
  async openRecent(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Recent', exact: true }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Recent transcripts' })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** Waits until what is on the page is kept in the browser. */
  async isKept(): Promise<void> {
    const dialog = await this.openRecent()
    await expect(dialog).toContainText('Kept in this browser')
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** The bytes of the session file the page saves, with notes added when given. */
  async saveSession(notes?: string): Promise<Buffer> {
    await this.page.keyboard.press('ControlOrMeta+s')
    const dialog = this.page.getByRole('dialog', { name: 'Save the session as a file' })
    if (notes !== undefined) await dialog.getByRole('textbox', { name: 'Notes' }).fill(notes)
    const started = this.page.waitForEvent('download')
    await dialog.getByRole('button', { name: /^Save .*\.masking\.json$/ }).click()
    return readFileSync(await (await started).path())
  }

  /** Opens the Loop drawer, if need be, at one of its parts. */
  async openLoop(part: 'Circles' | 'Follow-up' | 'Run'): Promise<Locator> {
    if (!(await this.loop.isVisible())) await this.drawerOpener('Loop').click()
    const choice = this.loop.getByRole('button', { name: part, exact: true })
    await choice.click()
    await expect(choice).toHaveAttribute('aria-pressed', 'true')
    return this.loop
  }

  undo(step: string): Locator {
    return this.page.getByRole('button', { name: `Undo ${step}`, exact: true })
  }
}
