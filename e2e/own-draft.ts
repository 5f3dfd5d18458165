/** A transcript of the user that only a draft contains, and what the browser has stored of it. */
import { expect, type Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

/** Long lines, no line end at its end, and characters of every width. */
export const OWN = JSON.stringify(
  Array.from({ length: 12 }, (_, turn) => turnOf(`c${turn}`, `é 😀 ${turn} `.repeat(120))).flat(),
)

export interface SavedSession {
  readonly policy: { readonly window_turns: number }
  readonly notes: string
  readonly transcript: { readonly text: string; readonly name: string }
}

export async function savedSession(playground: PlaygroundPage): Promise<SavedSession> {
  return JSON.parse((await playground.saveSession()).toString()) as SavedSession
}

/** Opens the user's transcript and edits it, so that only the draft contains it. */
export async function editedIn(page: Page): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(page)
  await playground.reuse()
  await playground.openText('own.json', OWN, /own\.json.*12 turns/)
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('  ')
  await playground.isCounted()
  return playground
}

export const EDITED = `  ${OWN}`

/** The records of the page's database, by key. */
export function storedDrafts(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const result = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await result(indexedDB.open('masking-playground'))
    const store = database.transaction('drafts').objectStore('drafts')
    const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())])
    database.close()
    return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]))
  })
}

/** Drags the window's slider without releasing it; resolves once the browser has stored a smaller window. */
export async function dragUntilStored(page: Page): Promise<void> {
  const slider = page.getByRole('slider', { name: 'Window', exact: true })
  const { x, y } = (await boxOf(slider)).middle
  await page.mouse.move(x, y)
  await page.mouse.down()
  let step = 0
  await expect(async () => {
    for (const end = step + 20; step < end; step++) await page.mouse.move(x - 40 - (step % 20), y)
    expect(JSON.stringify(await storedDrafts(page))).toMatch(/"windowTurns":[0-7]\b/)
  }).toPass({ intervals: [50] })
}
