import type { Locator, Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, test } from './fixtures'

const { step } = test

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

/**
 * Fails unless this has the focus, is in view, is not covered, and has an outline or is in a field that has one; or what
 * is drawn in its place.
 */
async function expectFocus(part: Locator, drawn = part): Promise<void> {
  await expect(part).toBeFocused()
  await expect(drawn).toBeInViewport()
  const seen = await drawn.evaluate((element) => {
    const hasOutline = (of: Element | null) =>
      of !== null &&
      getComputedStyle(of).outlineStyle !== 'none' &&
      Number.parseFloat(getComputedStyle(of).outlineWidth) > 0
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    // An editor draws its text over the field that is typed in.
    const whole = element.closest('.monaco-editor') ?? element
    return {
      isOutlined: hasOutline(element) || hasOutline(element.parentElement),
      isOnTop: top !== null && (whole.contains(top) || top.contains(whole)),
    }
  })
  expect(seen).toEqual({ isOutlined: true, isOnTop: true })
}

/** Presses Tab until this has the focus; fails after so many times. */
async function tabTo(page: Page, part: Locator, most: number, drawn = part): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    if (await part.evaluate((element) => element === document.activeElement)) break
  }
  await expectFocus(part, drawn)
}

const turn = (id: string) =>
  turnOf(id, `${id}: ${'what the tool found '.repeat(60)}`, 'read', `{"of":"${id}"}`)

const OWN = JSON.stringify([
  { role: 'user', content: 'begin' },
  ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(turn),
  { role: 'assistant', content: 'done' },
])

/** The main job; nothing here presses a mouse button or gives the focus to anything. */
test('paste, set, read, share, export and undo by keyboard', async ({ page, playground }) => {
  const { keyboard } = page
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const slider = page
    .locator('input[type=range]')
    .and(page.getByLabel('Keep last N turns', { exact: true }))

  await step('the first tab stops skip to the policy and to the conversation', async () => {
    await playground.open()
    await expect(playground.source).toBeVisible()
    await keyboard.press('Tab')
    await expectFocus(button('Skip to the policy'))
    await keyboard.press('Tab')
    await expectFocus(button('Skip to the conversation'))
    await keyboard.press('Enter')
    await expectFocus(page.locator('#conversation'))
    await expect(button('Skip to the conversation')).not.toBeInViewport()
  })

  await step('Tab passes the editor that it entered, and types nothing', async () => {
    await tabTo(page, playground.source, 3)
    await expect(page.getByText('Tab leaves the editor; once you typed')).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('Tab')
    await expect(playground.source).not.toBeFocused()
    await expect(button('Undo')).toBeDisabled()
  })

  await step('an own transcript is pasted', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), OWN)
    await keyboard.press('ControlOrMeta+v')
    await playground.shows(/pasted\.json.*6 turns/)
    await playground.isCounted()
  })

  await step('the choice of the view keeps the focus when the header changes', async () => {
    await tabTo(page, button('Masked'), 3)
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await expectFocus(button('Diff'))
    await keyboard.press('Enter')
    await expect(page.getByRole('region', { name: /compared/ })).toBeVisible()
    await expectFocus(button('Diff'))
    await keyboard.press('ArrowLeft')
    await keyboard.press('Enter')
    await expect(page.getByRole('region', { name: /compared/ })).toBeHidden()
    await expectFocus(button('Messages'))
  })

  await step('arrow keys and J move through the messages', async () => {
    const message = (n: number) => page.getByRole('article', { name: `Message ${n} of 14` })
    await tabTo(page, message(1), 8)
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('j')
    await expectFocus(message(4))
  })

  await step('arrow keys move the window, and the new figures are announced', async () => {
    await keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys', exact: true })
    await expect(keys).toContainText('Previous, next conversation')
    await keyboard.press('Escape')
    await expectFocus(page.getByRole('article', { name: 'Message 4 of 14' }))
    await button('Skip to the policy').focus()
    await keyboard.press('Enter')
    await expectFocus(page.getByRole('region', { name: 'Policy', exact: true }))
    await tabTo(page, slider, 7, slider.locator('..'))
    await keyboard.press('Home')
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await expect(playground.window).toHaveValue('2')
    await expect(
      page.locator('[aria-live=polite]', { hasText: /4 of 6 tool results masked/ }),
    ).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/saves|costs/i)
  })

  await step('the settings link is copied, and the focus returns', async () => {
    await button('Share').focus()
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Share' })).toBeFocused()
    await tabTo(page, button('Copy settings link'), 6)
    await keyboard.press('Enter')
    await expect.poll(() => playground.clipboard()).toMatch(/#v=2&w=2&o=messages$/)
    await keyboard.press('Escape')
    await expectFocus(button('Share'))
  })

  await step('an export is copied, and the focus returns', async () => {
    await tabTo(page, button('Use it'), 1)
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Use it' })
    await expect(dialog).toBeFocused()
    await tabTo(page, dialog.getByRole('tab', { name: 'TOML config' }), 2)
    await keyboard.press('ArrowDown')
    await expectFocus(dialog.getByRole('tab', { name: 'JSON' }))
    await tabTo(page, dialog.getByRole('button', { name: 'Copy' }), 6)
    await keyboard.press('Enter')
    await expect.poll(() => playground.clipboard()).toContain('"window_turns": 2')
    await keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expectFocus(button('Use it'))
  })

  await step('undo takes back the window, then the paste', async () => {
    await keyboard.press('ControlOrMeta+z')
    await expect(playground.window).not.toHaveValue('2')
    await keyboard.press('ControlOrMeta+z')
    await playground.shows('coding-session.json')
  })
})
