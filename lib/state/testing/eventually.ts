import { expect, vi } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import type { PlaygroundState } from '../store'

/** Repeats a check until it passes; fails after 30 seconds, since a busy machine is slow. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 30_000 })

/** Opens a text on a page whose worker runs in this thread, and waits until something of it is there. */
export async function openedOnce(
  wanted: (state: PlaygroundState) => unknown,
  text: string,
  name = 'run.json',
) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(text, name, { kind: 'file' })
  await eventually(() => expect(wanted(playground.store.getState())).toBeDefined())
  return playground
}

/** What the page has read of the text that is open. */
export const readOf = ({ read, source }: PlaygroundState) =>
  read?.source.id === source.id ? read : undefined
