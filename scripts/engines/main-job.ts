/** The main task, the same in every engine: see the figures, open a transcript, move the window, share, reload. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { turnOf } from '../../lib/core/testing/conversation-of'
import type { Engine } from './engine'

const TURNS = 12
/** The window that the keys choose. */
const WINDOW = 3
const OWN = JSON.stringify(
  Array.from({ length: TURNS }, (_, turn) =>
    turnOf(`c${turn}`, `é 😀 ${turn} `.repeat(120)),
  ).flat(),
)

/** Machines that run this are shared: what hangs is still found, what is slow is not failed. */
const MILLISECONDS_TO_WAIT = 30_000

/** Expressions that are evaluated in the page. */
const textOf = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent.replace(/\\s+/g, ' ')`
const METERS = textOf('[aria-label="Effect of masking"]')
const SLIDER = 'document.querySelector(`input[type=range][aria-label="Window"]`)'
const FIRST_LINE = 'document.querySelector(`.monaco-editor .view-line`)'
const button = (name: string) =>
  `[...document.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.textContent).trim() === '${name}')`

const BADGE =
  "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Document details:'))?.textContent"

/** A key of the keyboard, as WebDriver writes it. */
const KEYS = { home: '\uE011', end: '\uE010', right: '\uE014', escape: '\uE00C', control: '\uE009' }

export async function mainJob(
  engine: Engine,
  address: string,
  step: (name: string, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  /** Waits until an expression's value matches; fails with what it was last. */
  const until = async (what: string, expression: string, pattern: RegExp): Promise<string> => {
    for (const end = Date.now() + MILLISECONDS_TO_WAIT; ; await setTimeout(50)) {
      const value = String(await engine.evaluate(expression))
      if (pattern.test(value)) return value
      if (Date.now() > end) throw new Error(`${what}: expected ${pattern}, found: ${value}`)
    }
  }
  const press = (...keys: readonly string[]) =>
    engine.act([
      {
        type: 'key',
        id: 'keyboard',
        actions: [
          ...keys.map((value) => ({ type: 'keyDown', value })),
          ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
        ],
      },
    ])
  const click = async (element: string) => {
    await until(
      `${element} can be pressed`,
      `${element}?.matches(':not(:disabled, [aria-disabled=true])')`,
      /true/,
    )
    const [x, y] = (await engine.evaluate(`(() => {
      const { left, top, width, height } = ${element}.getBoundingClientRect()
      return [Math.round(left + width / 2), Math.round(top + height / 2)]
    })()`)) as [number, number]
    await engine.act([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }
  const focus = (element: string) =>
    until(
      `the focus on ${element}`,
      `(${element}?.focus(), document.activeElement === ${element})`,
      /true/,
    )

  await step('a first visit shows what the policy saves of a sample', async () => {
    await engine.open(address)
    await until('the verdict', METERS, /As set, this saves \d+%/)
    await until('the masked output', textOf('main'), /Observation masquée/)
  })

  await step('a scrollbar takes no width from the policy', async () => {
    const widths = `[...document.querySelectorAll('[aria-label="Policy"] > div')]
      .map((part) => part.firstElementChild.getBoundingClientRect().width)`
    await until('the widths of the fields and of the line below', widths, /^(\d+),\1$/)
  })

  await step('a link sets the default policy, and a file is opened', async () => {
    await engine.open(`${address}#v=2`)
    await until('the results that the default masks', METERS, /130 of 150/)
    await engine.evaluate(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(OWN)}], 'own.json'))
      const input = document.querySelector('input[type=file]')
      input.files = transfer.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
    await until('the badge of the file', BADGE, /own\.json.*12 turns/)
  })

  await step('the keys move the slider, and the figures follow', async () => {
    await focus(SLIDER)
    await press(KEYS.end)
    await until('a window as long as the session', METERS, /\b0 of 12/)
    await press(KEYS.home)
    await until('a window of 0', METERS, /Masking is off/)
    for (let window = 1; window <= WINDOW; window++) {
      await press(KEYS.right)
      await until('the masked results', METERS, new RegExp(`\\b${TURNS - window} of 12`))
    }
    await until('the saved tokens', METERS, /[1-9][\d,]* tokens fewer/)
  })

  await step('what is typed changes the transcript', async () => {
    await click(FIRST_LINE)
    await press(KEYS.control, KEYS.home)
    await press(' ')
    await until('an undo of the typing', `Boolean(${button('Undo typing')})`, /true/)
    await until('the masked results', METERS, new RegExp(`\\b${TURNS - WINDOW} of 12`))
  })

  await step('the download has a placeholder for each masked result', async () => {
    // The engines differ in where they store a file, so its bytes are read instead.
    await engine.evaluate(`(() => {
      URL.createObjectURL = (blob) => {
        globalThis.downloaded = blob.text()
        return 'data:,'
      }
      HTMLAnchorElement.prototype.click = () => {}
    })()`)
    await click(button('Download'))
    const text = await until('the download', 'globalThis.downloaded', /^ \[/)
    const results = (JSON.parse(text) as { role: string; content: string }[]).filter(
      ({ role }) => role === 'tool',
    )
    const isMasked = results.map(({ content }) => content.startsWith('[Observation masquée'))
    const expected = Array.from({ length: TURNS }, (_, turn) => turn < TURNS - WINDOW)
    assert.deepEqual(isMasked, expected)
  })

  await step('the link has the settings', async () => {
    await click(button('Share'))
    const link = 'document.querySelector(`[aria-label="Link with the settings"]`)?.value'
    await until('the link', link, new RegExp(`^${address}#v=2&w=${WINDOW}\\b`))
    await press(KEYS.escape)
    await until('the link is closed', link, /undefined|null/)
  })

  await step('after a reload the draft is back', async () => {
    await click(button('Recent'))
    const dialog = textOf('[role=dialog]')
    await until('what is stored', dialog, /Stored in this browser/)
    await press(KEYS.escape)
    await until('the dialog is closed', dialog, /undefined|null/)
    await engine.reload()
    await until('the badge of the file', BADGE, /own\.json.*12 turns/)
    await until('the masked results', METERS, new RegExp(`\\b${TURNS - WINDOW} of 12`))
    await until('the window', `${SLIDER}?.value`, new RegExp(`^${WINDOW}$`))
    await until('an undo of the typing', `Boolean(${button('Undo typing')})`, /true/)
  })
}
