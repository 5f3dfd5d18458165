/** Tabs of a browser that write drafts to a database in memory. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { walkTexts } from '../document/remembered-source'
import { createDrafts, type Drafts } from '../drafts/create-drafts'
import { openDraftDatabase } from '../drafts/draft-database'
import { createDraftLocks } from '../drafts/draft-locks'
import { startPlayground } from '../link/settings-url'
import { createPlayground, type Playground } from '../playground'
import { policyOnceRead } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import { storageInMemory } from './storage-in-memory'

export const SAMPLES: Readonly<Record<string, string>> = {
  'samples/index.json': JSON.stringify(
    ['coding-session', 'other'].map((id) => ({ id, file: `${id}.json` })),
  ),
  'samples/coding-session.json': JSON.stringify([{ role: 'user', content: 'the first sample' }]),
  'samples/other.json': JSON.stringify([{ role: 'user', content: 'another sample' }]),
}
const fetchText = async (path: string) => SAMPLES[path]

/** A browser whose tabs share a database, locks and local storage. */
export interface Browser {
  readonly open: Map<string, () => void>
  readonly forgotten: (() => void)[]
  readonly removed: string[]
  readonly stored: Map<string, string>
}

interface Tab extends Playground {
  readonly drafts: Drafts
  readonly memory: Map<string, string>
  readonly startOver: ReturnType<typeof vi.fn>
  /** Ends the tab like a crash: it writes nothing more, and its locks are released. */
  readonly kill: () => void
}

/** Simplified browser locks: one holder per name, released when its tab ends. */
function locksOf(browser: Browser, own: Set<string>) {
  const request = async (name: string, _: object, work: () => Promise<void>) => {
    if (browser.open.has(name)) throw Object.assign(new Error('taken'), { name: 'TimeoutError' })
    own.add(name)
    browser.open.set(name, () => {})
    await work()
    browser.open.delete(name)
    own.delete(name)
  }
  const query = async () => ({ held: [...browser.open.keys()].map((name) => ({ name })) })
  return { request, query } as unknown as Pick<LockManager, 'request' | 'query'>
}

/** A tab that opens the page, with what it remembers from before a reload if `memory` is given. */
export async function openTab(
  browser: Browser,
  {
    fragment = '',
    memory = new Map<string, string>(),
    hasLocks = true,
    /** What the user does while the page starts. */
    onStart = (_: Playground) => {},
  } = {},
): Promise<Tab> {
  const playground = createPlayground(spawnInline)
  const own = new Set<string>()
  const startOver = vi.fn()
  const { storage } = storageInMemory(memory)
  const locks = locksOf(browser, own)
  const drafts = createDrafts(playground, {
    storage: () => ({
      ...storageInMemory(browser.stored).storage(),
      removeItem: (name) => void browser.removed.push(name),
    }),
    database: openDraftDatabase(),
    locks: createDraftLocks(() => (hasLocks ? locks : undefined)),
    tabStorage: storage,
    startOver,
    announceForgotten: () => {
      for (const listener of browser.forgotten) listener()
    },
    onForgotten: (listener) => void browser.forgotten.push(listener),
  })
  const started = startPlayground(playground, fragment, fetchText, drafts.start)
  onStart(playground)
  await started
  const kill = () => {
    for (const name of own) browser.open.delete(name)
  }
  return { ...playground, drafts, memory, startOver, kill }
}

export function newBrowser(): Browser {
  globalThis.indexedDB = new IDBFactory()
  return { open: new Map(), forgotten: [], removed: [], stored: new Map() }
}

/** The restorable part of a draft: texts, settings and every undo and redo step, without ids. */
function workOf({ source, policy, policyFrom, pinned, model, history }: PlaygroundState) {
  const steps = (side: typeof history.past) => {
    const walk = walkTexts(source.text)
    return side.toReversed().map(({ label, snapshot }) => {
      const { text, name, origin, readAs } = snapshot.source
      walk.step(text)
      const policy = policyOnceRead(snapshot.source, snapshot.policy)
      const { policyFrom } = snapshot
      return { label, policy, policyFrom, text: walk.make(), name, origin, readAs }
    })
  }
  const { text, name, origin, readAs } = source
  return {
    ...{ text, name, origin, readAs, pinned, model, policyFrom },
    policy: policyOnceRead(source, policy),
    past: steps(history.past),
    future: steps(history.future),
  }
}

export const workIn = ({ store }: Playground) => workOf(store.getState())
export const codes = ({ store }: Playground) => store.getState().notices.map(({ code }) => code)

export const OWN = JSON.stringify([{ role: 'user', content: 'my own transcript' }])

/** A tab that has saved a text. */
export async function savedTab(browser: Browser, name = 'own.json', text = OWN): Promise<Tab> {
  const tab = await openTab(browser)
  tab.actions.openText(text, name, { kind: 'file' })
  await tab.drafts.flush()
  return tab
}

/** Saves, ends the tab and opens it again. */
export async function reloaded(browser: Browser, tab: Tab): Promise<Tab> {
  await tab.drafts.flush()
  tab.kill()
  return openTab(browser, { memory: tab.memory })
}
