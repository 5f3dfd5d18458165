import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { CORPUS_FOLDER, HAS_CORPUS } from '../lib/core/testing/transcripts'
import { expect, largeTest, test } from './fixtures'
import type { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

interface Case {
  readonly language: 'English' | 'Français'
  readonly width: number
  readonly samples: readonly string[]
}

const ALL = ['', 'formats/'].flatMap((folder) =>
  readJson(`public/samples/${folder}index.json`).map(({ id }) => id),
)
const CASES: readonly Case[] = IS_LARGE
  ? (['English', 'Français'] as const).flatMap((language) =>
      [1440, 1024, 390].map((width) => ({ language, width, samples: ALL })),
    )
  : [
      { language: 'English', width: 1440, samples: ['coding-session', 'many-runs'] },
      { language: 'Français', width: 390, samples: ['coding-session', 'data-analysis'] },
      { language: 'Français', width: 1024, samples: ['data-analysis'] },
    ]
const POSITIONS = IS_LARGE ? 60 : 25

/** A published session of 267 turns, 28 of them with several calls. */
const PUBLISHED = join(CORPUS_FOLDER, 'openai-chat', 'long-parallel-calls.json')

for (const { language, width, samples } of CASES) {
  const size = `${language}, ${width}`
  test(`nothing moves while the edge is dragged over the whole range: ${size}`, async ({
    playground,
  }) => {
    if (IS_LARGE) test.setTimeout(1_800_000)
    await start(playground, language, width)
    for (const id of samples) {
      await playground.page.goto(`./#v=2&s=${id}`)
      await staysInPlace(playground.page, fileOf(id))
    }
    await leave(playground.page)
  })

  largeTest(`nothing moves along 267 turns: ${size}`, async ({ playground }) => {
    test.setTimeout(1_800_000)
    await start(playground, language, width)
    await playground.openBytes('made-267.json', Buffer.from(JSON.stringify(longSession())))
    await staysInPlace(playground.page, 'made-267.json')
    await leave(playground.page)
  })

  largeTest(
    `nothing moves along a published session of 267 turns: ${size}`,
    async ({ playground }) => {
      test.skip(!HAS_CORPUS, 'The folder of published transcripts is not here.')
      test.setTimeout(1_800_000)
      await start(playground, language, width)
      await playground.openFile(PUBLISHED)
      await staysInPlace(playground.page, basename(PUBLISHED))
      await leave(playground.page)
    },
  )
}

async function start(playground: PlaygroundPage, language: Case['language'], width: number) {
  const { page } = playground
  await playground.open('')
  if (language === 'Français') await page.getByRole('button', { name: language }).click()
  await page.setViewportSize({ width, height: 900 })
  // Loads once the page is narrow, above the footer.
  if (width < 1024)
    await expect(page.getByRole('button', { name: /^(Policy|Politique)$/ })).toBeVisible()
}

/** Drags and steps the edge of the document that is being opened, and fails, but goes on, if anything moved. */
async function staysInPlace(page: Page, file: string): Promise<void> {
  const badge = page.getByRole('button', { name: new RegExp(file.replaceAll('.', '\\.')) })
  await expect(badge).toBeVisible()
  await isStill(page)
  // A notice ends by itself, and those above it then move: that is no effect of the edge.
  const dismiss = page
    .locator('section[aria-live=polite]')
    .getByRole('button', { name: /^(Dismiss|Fermer)$/ })
  await expect(async () => {
    for (const button of await dismiss.all()) await button.click({ timeout: 500 })
    await expect(dismiss).toHaveCount(0, { timeout: 500 })
  }).toPass()
  // Without turns there is nothing to drag.
  if (IS_LARGE && (await edgeOf(page).count()) === 0) return
  await watchBoxes(page)
  await dragEdge(page)
  await stepEdge(page)
  expect.soft(await movedSince(page), file).toEqual([])
}

async function leave(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  // What the page writes when it is left is written before the next test deletes it.
  await page.goto('./icon.svg')
}

/** 267 turns: results of 20 to 9,000 characters, every ninth an error, every third quoted by the answer after it. */
function longSession(): readonly object[] {
  const turns = Array.from({ length: 267 }, (_, at) => {
    const name = ['read', 'search', 'run'][at % 3]
    const term = `value_${at}_of_the_table`
    const text = at % 9 === 8 ? `Error: no file ${at}` : `${term} `.repeat(1 + ((at * 37) % 450))
    const messages = turnOf(`call_${at}`, text, name, JSON.stringify({ path: `src/${at}.ts` }))
    const answer = { role: 'assistant', content: `It depends on ${term}.` }
    return at % 3 === 0 ? [...messages, answer] : messages
  })
  return [
    { role: 'user', content: 'Read the tables, and say on what they depend.' },
    ...turns.flat(),
  ]
}

interface Watched {
  readonly moved: Set<string>
  readonly observer: PerformanceObserver
  isOn: boolean
}

interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

const edgeOf = (page: Page) => page.locator('section:has([data-picture=bars]) [role=slider]').last()

/** Drags the edge of the window from its place to both ends of the strip; a frame is drawn at each position. */
async function dragEdge(page: Page): Promise<void> {
  const { x, width, middle } = await boxOf(page.locator('[data-picture=bars]').first())
  const edge = await boxOf(edgeOf(page))
  const frame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  await page.mouse.move(edge.middle.x, middle.y)
  await page.mouse.down()
  for (let at = 0; at <= POSITIONS; at++) {
    await page.mouse.move(x + 1 + ((width - 2) * at) / POSITIONS, middle.y)
    await frame()
  }
  await page.mouse.up()
  await isStill(page)
}

/** The same by keys: the browser says of a drag how much shifted, of keys also what did. */
async function stepEdge(page: Page): Promise<void> {
  await edgeOf(page).focus()
  for (const key of ['Home', ...Array(6).fill('PageUp'), 'End', ...Array(12).fill('ArrowLeft')]) {
    await page.keyboard.press(key)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  await isStill(page)
}

/**
 * Notes from now on what moves up or down, in any frame: boxes, and what the browser calls a layout shift, with or without
 * recent input. What shows the masked text follows the edge, as do the legend's counts and what the tools found.
 */
function watchBoxes(page: Page): Promise<void> {
  return page.evaluate(() => {
    const follows = '.monaco-editor, [role=feed], section:has([data-picture=bars]) ul, footer *'
    document.getElementById('hidden')?.remove()
    const style = Object.assign(document.createElement('style'), { id: 'hidden' })
    style.textContent = `${follows} { visibility: hidden !important }`
    document.head.append(style)
    const isWatched = (element: Element) => {
      const { display, position } = getComputedStyle(element)
      const isPlaced = display !== 'inline' && position !== 'absolute' && position !== 'fixed'
      return isPlaced && element.closest(`${follows}, svg`) === null
    }
    const moved = new Set<string>()
    const note = (node: Node, from: number, to: number) => {
      if (Math.abs(from - to) > 0.6)
        moved.add(`${node.nodeName} «${node.textContent?.slice(0, 50)}» ${from} → ${to}`)
    }
    const starts = new Map<Element, number>()
    for (const element of document.querySelectorAll('body *')) {
      const { top, width, height } = element.getBoundingClientRect()
      if (width > 0 && height > 0 && isWatched(element)) starts.set(element, top)
    }
    const observer = new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as LayoutShift[])
        for (const { node, previousRect, currentRect } of sources)
          if (node instanceof Element && isWatched(node)) note(node, previousRect.y, currentRect.y)
    })
    observer.observe({ type: 'layout-shift' })
    const watched: Watched = { moved, observer, isOn: true }
    Object.assign(globalThis, { watched })
    const compare = () => {
      for (const [element, top] of starts) {
        const now = element.getBoundingClientRect()
        if (now.width > 0 && now.height > 0) note(element, top, now.top)
      }
      if (watched.isOn) requestAnimationFrame(compare)
    }
    requestAnimationFrame(compare)
  })
}

function movedSince(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { watched } = globalThis as unknown as { readonly watched: Watched }
    watched.isOn = false
    watched.observer.disconnect()
    document.getElementById('hidden')?.remove()
    return [...watched.moved].slice(0, 5)
  })
}

/** Waits until the page has had its last answer: nothing is busy, and its text stays the same for some frames. */
async function isStill(page: Page): Promise<void> {
  let last = ''
  await expect(async () => {
    const text = await page.evaluate(
      () => `${document.querySelectorAll('[aria-busy=true]').length} ${document.body.textContent}`,
    )
    const isSame = text === last
    last = text
    expect(isSame && text.startsWith('0 ')).toBe(true)
  }).toPass({ intervals: [200, 300, 500] })
}

function fileOf(id: string): string {
  const all = ['', 'formats/'].flatMap((folder) => readJson(`public/samples/${folder}index.json`))
  return basename(all.find((sample) => sample.id === id)?.file ?? id)
}

function readJson(path: string) {
  const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
  return JSON.parse(text) as readonly { id: string; file: string }[]
}
