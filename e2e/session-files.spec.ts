import { expect, largeTest } from './fixtures'
import { editedIn, type SavedSession } from './own-draft'
import { PlaygroundPage } from './playground-page'

largeTest(
  'a session file brings transcript, policy, model and notes into another browser',
  async ({ page, openBrowser }) => {
    const playground = await editedIn(page)
    await playground.window.fill('4')
    const file = await playground.saveSession('Window 4 still answers.')
    await expect(playground.notices).toContainText('Saved own.masking.json.')
    const context = await openBrowser()
    const other = new PlaygroundPage(await context.newPage())
    await other.open()
    await other.openBytes('own.masking.json', file)
    await expect(other.page.getByRole('button', { name: /own\.json.*12 turns/ })).toBeVisible()
    await expect(other.window).toHaveValue('4')
    expect((await other.saveSession()).equals(file)).toBe(true)
    await other.undo('opening a transcript').click()
    await expect(other.window).toHaveValue('8')
    await expect(other.page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  },
)

largeTest(
  'a damaged session file is refused with the place, and what was open stays',
  async ({ page }) => {
    const playground = await editedIn(page)
    const file = await playground.saveSession()
    await playground.openBytes('cut.masking.json', file.subarray(0, 2_000))
    await expect(playground.notices).toContainText(/Could not open cut\.masking\.json\..*cut off/)
    const { transcript, ...rest } = JSON.parse(file.toString()) as SavedSession
    const newer = { ...rest, version: 2, policy: { window_turns: 'x' }, later: 1, transcript }
    await playground.openBytes('newer.masking.json', Buffer.from(JSON.stringify(newer)))
    await expect(playground.notices).toContainText('saved by a newer version (2)')
    await expect(playground.notices).toContainText('window_turns is "x"')
    expect(JSON.parse((await playground.saveSession()).toString())).toMatchObject({ later: 1 })
  },
)
