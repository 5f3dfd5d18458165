import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { deleteStorage, enter, savedBy } from './steps'

const TOOLS = [
  'Repeated calls',
  'Checks',
  'Broken arguments',
  'Error rules',
  'Next request',
  'Simulator',
] as const

/** The page object: finds everything by role and label. */
export class PlaygroundPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /**
   * Loads the page as a new visitor, with the given settings in its address (the defaults, if none are given), and
   * waits until its document is counted. Closes the page that is open, and deletes what it stored.
   */
  async open(fragment = 'v=2'): Promise<void> {
    if (this.page.url() !== 'about:blank') {
      const { origin } = new URL(this.page.url())
      // A document of the same site keeps the process of the page, which then starts in half the time.
      await this.page.goto('./icon.svg')
      await deleteStorage(this.page, origin)
      // The page that was left may still write its draft; a tab without its number does not resume it.
      await this.page.evaluate(() => sessionStorage.clear())
    }
    await this.page.goto(fragment === '' ? './' : `./#${fragment}`)
    await this.isCounted()
    // Loads the editors.
    for (const at of [1, 2]) await this.page.mouse.move(at, at)
  }

  /**
   * Gives the page that a test left open these settings, as an opened link does, without dialogs and notices;
   * opens it if none is. Its transcript stays.
   */
  async reuse(fragment = 'v=2'): Promise<void> {
    const { page } = this
    if (!/\/(tools|files)?([?#]|$)/.test(page.url())) return this.open(fragment)
    const covers = page.locator('[role=dialog], [role=menu]')
    await expect(async () => {
      if ((await covers.count()) > 0) await page.keyboard.press('Escape')
      await expect(covers).toHaveCount(0, { timeout: 500 })
    }).toPass()
    if (!/\/([?#]|$)/.test(page.url())) await this.goTo('Transcript')
    const dismiss = this.notices.getByRole('button', { name: 'Dismiss' })
    // A notice may end by itself before it is clicked.
    await expect(async () => {
      if ((await dismiss.count()) > 0) await dismiss.first().click({ timeout: 500 })
      await expect(dismiss).toHaveCount(0, { timeout: 500 })
    }).toPass()
    await this.follow(fragment)
  }

  /** The same with the first sample. */
  async reuseSample(fragment?: string): Promise<void> {
    await this.reuse(fragment)
    const name = (await this.badge.getAttribute('aria-label')) ?? (await this.badge.textContent())
    if (name?.includes('coding-session.json') !== true) await this.chooseSample(/^Coding session/)
    await this.shows('coding-session.json')
    await this.isCounted()
  }

  /** Waits until the badge of the open file shows this name or these details. */
  async shows(file: string | RegExp): Promise<void> {
    const name = typeof file === 'string' ? new RegExp(file.replaceAll('.', '\\.')) : file
    await expect(this.badge).toHaveAccessibleName(name)
  }

  /** Waits until the figures of the next request are shown. */
  async isCounted(): Promise<void> {
    await expect(this.meters).toContainText(/\d tokens/, { timeout: 30_000 })
  }

  get meters(): Locator {
    return this.page.getByRole('region', { name: 'Effect of masking' })
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

  /** The badge with the file's name and format; it opens the details. */
  get badge(): Locator {
    return this.page.getByRole('button', { name: /^Document details: / })
  }

  /** The format chooser in the details that the badge opens. */
  get formatChoice(): Locator {
    return this.page.getByRole('combobox', { name: 'Read as' })
  }

  /** A button by its whole name, or by a part of it. */
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** Goes to another page of the playground. */
  async goTo(name: string | RegExp): Promise<void> {
    const link = this.page.getByRole('contentinfo').getByRole('link', { name, exact: true })
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
  }

  /** Shows a view of what is sent by its tab. */
  async show(name: 'Cost' | 'Results'): Promise<Locator> {
    const views = this.page.getByRole('group', { name: 'View of what is sent' })
    await views.getByRole('button', { name, exact: true }).click()
    return this.page.getByRole('region', { name, exact: true })
  }

  /** The tool that is shown. */
  get loop(): Locator {
    return this.page.getByRole('region', { name: new RegExp(`^(?:${TOOLS.join('|')})$`) })
  }

  /** What the tools found, at the bottom of every page. */
  get found(): Locator {
    return this.page.getByRole('list', { name: 'What the tools found' })
  }

  /** Findings in the current conversation. */
  get findings(): Locator {
    return this.loop.getByRole('region', { name: 'Findings' })
  }

  /** One guard with its switch and its limits. */
  guard(name: string): Locator {
    return this.loop.getByRole('group', { name, exact: true })
  }

  get window(): Locator {
    return this.page.getByRole('textbox', { name: 'Keep last N turns' })
  }

  async setWindow(turns: number): Promise<void> {
    await enter(this.window, String(turns))
  }

  async openFile(path: string): Promise<void> {
    await this.page.locator('input[type=file]').first().setInputFiles(path)
  }

  async openBytes(name: string, bytes: Buffer): Promise<void> {
    const file = { name, mimeType: 'application/octet-stream', buffer: bytes }
    await this.page.locator('input[type=file]').first().setInputFiles(file)
  }

  /** Opens a text, or a value as JSON, and waits until the badge shows its name or these details. */
  async openText(name: string, content: unknown, shown: string | RegExp = name): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await this.openBytes(name, Buffer.from(text))
    await this.shows(shown)
  }

  /** Opens a sample by the beginning of its line in the dialog. */
  async chooseSample(line: RegExp): Promise<void> {
    const dialog = await this.openDialog()
    const choice = dialog.getByRole('button', { name: line })
    // Samples in other formats are folded away.
    if (!(await choice.isVisible()))
      await dialog.getByRole('button', { name: /in other formats$/ }).click()
    await choice.click()
    await expect(dialog).toBeHidden()
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

  /** Replaces the source by pasting over it. */
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

  /** Opens the dialog with the links and the picture for others. */
  async share(): Promise<Locator> {
    await this.button('Share').click()
    return this.page.getByRole('dialog', { name: 'Share' })
  }

  /** Opens the dialog with the policy for every stack. */
  async useIt(): Promise<Locator> {
    await this.button('Use it').click()
    return this.page.getByRole('dialog', { name: 'Use it' })
  }

  /** The bytes of the file that the page downloads. */
  async download(): Promise<Buffer> {
    return (await savedBy(this.button('Download'))).bytes
  }

  /** Opens the dialog with every way to open a transcript, and what is stored in the browser. */
  async openDialog(): Promise<Locator> {
    await this.button('Open…').click()
    const dialog = this.page.getByRole('dialog', { name: 'Open a transcript' })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** Waits until the browser has stored what is on the page. */
  async isStored(): Promise<void> {
    const dialog = await this.openDialog()
    await expect(dialog).toContainText('Stored in this browser')
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** The bytes of the session file that the page saves. */
  async saveSession(): Promise<Buffer> {
    const dialog = this.page.getByRole('dialog', { name: 'Save the session as a file' })
    // Keys and clicks are lost while the browser still ends its question about leaving.
    await expect(async () => {
      await this.page.keyboard.press('ControlOrMeta+s')
      await expect(dialog).toBeVisible({ timeout: 5_000 })
    }).toPass()
    const started = this.page.waitForEvent('download')
    await expect(async () => {
      await dialog.getByRole('button', { name: /^Save .*\.masking\.json$/ }).click()
      await expect(dialog).toBeHidden({ timeout: 5_000 })
    }).toPass()
    return readFileSync(await (await started).path())
  }

  /** Shows a tool. */
  async openLoop(tool: (typeof TOOLS)[number]): Promise<Locator> {
    if (!this.page.url().includes('/tools')) await this.goTo('Tools')
    const link = this.page.getByRole('link', { name: tool, exact: true })
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    return this.loop
  }

  undo(step: string): Locator {
    return this.button(`Undo ${step}`)
  }

  /** Puts this into the page's address, as an opened link does. */
  async follow(fragment: string): Promise<void> {
    await this.page.evaluate((hash) => {
      location.hash = hash
      return new Promise(requestAnimationFrame)
    }, fragment)
  }

  /** The text of the clipboard; the test needs the permission. */
  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText())
  }
}
