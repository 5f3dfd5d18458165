import { writeFileSync } from 'node:fs'
import type { CDPSession, Page } from '@playwright/test'
import { makeBody, sampledShape } from '../scripts/measure/testing/transcripts'
import { expect, largeTest, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

/**
 * Random actions on a transcript of ten megabytes: `TEST_SIZE=large MINUTES=10 npx playwright test
 * e2e/random-actions.spec.ts`. `TEST_SEED` repeats a run.
 */
const MINUTES = Number(process.env.MINUTES ?? 1)
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1e6)
/** In milliseconds: a pause in typing ends an undo step. */
const PAUSE = 1100
/** What the page needs varies with what was done last, by copies of one text; the middle of many samples does not. */
const SAMPLES = 12
const MOST_GROWTH = 1.15
const VIEWS = ['Masked', 'Diff', 'Messages'] as const
type View = (typeof VIEWS)[number]

largeTest('random actions: no error, no lost text, flat memory', async ({ playground }, info) => {
  test.setTimeout((MINUTES + 10) * 60_000)
  console.log(`TEST_SEED=${SEED}, ${MINUTES} minutes`)
  const { page } = playground
  const client = await page.context().newCDPSession(page)
  const original = makeBody(sampledShape(1892, 4750))
  const other = makeBody(sampledShape(1310, 1450))
  const files = {
    original: info.outputPath('transcript.json'),
    other: info.outputPath('other.json'),
  }
  writeFileSync(files.original, original)
  writeFileSync(files.other, other)
  const random = createRandom(SEED)
  const below = (limit: number) => Math.floor(random() * limit)

  /** The text that must be on the page, and those that undo and redo must bring back. */
  let text = original.split('\n')
  let undoable: string[][] = []
  let redoable: string[][] = []
  let marks = 0

  const open = async (file: string, opened: string) => {
    await playground.openFile(file)
    undoable.push(text)
    text = opened.split('\n')
  }
  /** Undoes or redoes one step, which may be one of the settings. */
  const step = async (name: RegExp, from: string[][], to: string[][]) => {
    const button = page.getByRole('button', { name })
    const label = (await button.getAttribute('aria-label')) ?? ''
    if (!(await button.isEnabled())) return
    await button.click()
    const next = /typing|opening/.test(label) ? from.pop() : undefined
    if (next === undefined) return
    to.push(text)
    text = next
  }

  const actions = {
    type: async () => {
      await showView(page, 'Masked')
      const places = text.flatMap((line, at) =>
        /"content": "Step \d+ reads/.test(line) ? [at] : [],
      )
      const at = places[below(places.length)] as number
      const mark = ` mark ${marks++}`
      await playground.source.focus()
      await page.keyboard.press('ControlOrMeta+g')
      await page.keyboard.type(String(at + 1))
      await page.keyboard.press('Enter')
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.type(mark)
      await page.waitForTimeout(PAUSE)
      undoable.push(text)
      const line = text[at] as string
      text = text.with(at, `${line.slice(0, -2)}${mark}${line.slice(-2)}`)
    },
    slide: async () => {
      const thumb = page
        .getByRole('slider', { name: 'Keep last N turns', exact: true })
        .locator('..')
      const { x, y } = (await boxOf(thumb)).middle
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let step = 0; step < 10; step++) await page.mouse.move(340 * random(), y, { steps: 3 })
      await page.mouse.up()
    },
    switchView: () => showView(page, VIEWS[below(VIEWS.length)] as View),
    undo: () => step(/^Undo/, undoable, redoable),
    redo: () => step(/^Redo/, redoable, undoable),
    open: () => open(files.original, original),
    openOther: () => open(files.other, other),
    reload: async () => {
      await playground.isStored()
      await page.reload()
      // A draft holds fewer undo steps than the page.
      await isSettled(playground)
      if (!(await playground.button(/^Undo/).isEnabled())) undoable = []
    },
  }
  type Name = keyof typeof actions
  const names: readonly Name[] = [
    ...(['type', 'type', 'slide', 'slide', 'switchView'] as const),
    ...(['undo', 'redo', 'undo', 'open', 'openOther', 'reload'] as const),
  ]
  /** A new step ends what can be redone. */
  const act = async (name: Name) => {
    await actions[name]()
    await isSettled(playground)
    if (!(await playground.button(/^Redo/).isEnabled())) redoable = []
  }

  const isKept = async () => {
    await showView(page, 'Masked')
    const masking = page.getByRole('switch', { name: 'Masking', exact: true })
    const isOn = await masking.isChecked()
    if (isOn) await masking.click()
    const kept = (await playground.download()).toString()
    expect(kept === text.join('\n'), 'The text is kept').toBe(true)
    if (isOn) {
      await masking.click()
      redoable = []
    }
  }

  await playground.open()
  await act('open')
  for (const name of names) await act(name)
  for (const name of ['openOther', 'open', 'reload'] as const) await act(name)
  /** In the same state each time: the original text was opened, and every view shown. */
  const heapOfPage = async () => {
    await act('open')
    for (const view of VIEWS) {
      await showView(page, view)
      await isSettled(playground)
    }
    await isKept()
    return heapOf(client)
  }
  const start = Date.now()
  const end = start + MINUTES * 60_000
  const done: Record<string, number> = {}
  const heaps: number[] = []
  // A short run has as many samples as a long one: few have no middle.
  while (Date.now() < end || heaps.length < SAMPLES) {
    if (Date.now() >= start + (heaps.length / SAMPLES) * (end - start))
      heaps.push(await heapOfPage())
    const name = names[below(names.length)] as Name
    done[name] = (done[name] ?? 0) + 1
    await act(name)
    // What is undone can be redone only if masking is not switched off to look at the text.
    const isLooked =
      name === 'undo' ? below(2) === 0 : ['redo', 'openOther', 'reload'].includes(name)
    if (isLooked) await isKept()
  }
  heaps.push(await heapOfPage())
  const half = Math.floor(heaps.length / 2)
  const [first, last] = [medianOf(heaps.slice(0, half)), medianOf(heaps.slice(-half))]
  const megabytes = heaps.map((heap) => Math.round(heap / 1e6)).join(', ')
  console.log(`${JSON.stringify(done)}, heap ${megabytes} MB`)
  expect(last, `Medians of both halves of ${megabytes} MB`).toBeLessThan(MOST_GROWTH * first)
})

largeTest('a reload holds no more than the page before it', async ({ playground }, info) => {
  test.setTimeout(300_000)
  const { page } = playground
  const client = await page.context().newCDPSession(page)
  const versions = ['a', 'b', 'c', 'd'].map((name) => {
    const path = info.outputPath(`${name}.json`)
    const body = makeBody(sampledShape(1892, 4750))
    writeFileSync(path, body.replace('"content": "', `"content": "${name} `))
    return path
  })
  const other = info.outputPath('other.json')
  writeFileSync(other, makeBody(sampledShape(1310, 1450)))
  const openFile = async (path: string) => {
    await playground.openFile(path)
    await isSettled(playground)
  }
  const [first = ''] = versions
  await playground.open()
  for (const path of versions) for (const file of [path, other]) await openFile(file)
  await openFile(first)
  const before = await heapOf(client)
  await playground.isStored()
  await page.reload()
  await isSettled(playground)
  await openFile(first)
  const after = await heapOf(client)
  const shown = `${Math.round(before / 1e6)} MB, then ${Math.round(after / 1e6)} MB`
  console.log(shown)
  expect(after, shown).toBeLessThan(MOST_GROWTH * before)
})

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}

/** Waits until the text on the page is read and counted. */
async function isSettled(playground: PlaygroundPage): Promise<void> {
  await expect(playground.meters).toContainText(/\d tokens/, { timeout: 300_000 })
  await expect(playground.page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 300_000 })
  await expect(playground.page.getByRole('progressbar')).toHaveCount(0, { timeout: 300_000 })
}

async function showView(page: Page, name: View): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function heapOf(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
