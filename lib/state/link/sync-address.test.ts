import { describe, expect, test, vi } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground, type Playground } from '../playground'
import { type Address, syncAddress } from './sync-address'

describe('the address', () => {
  /** The browser's history entries. */
  function entries(): Address & { readonly list: string[] } {
    const list = ['']
    return {
      list,
      fragment: () => list.at(-1) as string,
      replace: (fragment) => list.splice(-1, 1, fragment),
      push: (fragment) => list.push(fragment),
    }
  }

  interface Followed {
    readonly address: ReturnType<typeof entries>
    readonly follow: () => void
  }

  function followed(
    act: (playground: Playground, pause: () => void, followed: Followed) => void,
  ): readonly string[] {
    vi.useFakeTimers()
    try {
      const playground = createPlayground(spawnInline)
      const address = entries()
      const { follow, stop } = syncAddress(playground, address)
      act(playground, () => vi.advanceTimersByTime(2_000), { address, follow })
      vi.advanceTimersByTime(2_000)
      stop()
      return address.list
    } finally {
      vi.useRealTimers()
    }
  }

  test('is replaced during a drag, once for many steps, with the last one', () => {
    const list = followed(({ actions }) => {
      for (const windowTurns of [1, 2, 3]) actions.changePolicy({ windowTurns }, 'windowTurns')
    })
    expect(list).toEqual(['v=2&w=3'])
  })

  test('gets a history entry for a choice: a switch, a comparison; none for another view', () => {
    const list = followed(({ actions }, pause) => {
      actions.changePolicy({ windowTurns: 4 }, 'windowTurns')
      actions.endGesture()
      pause()
      actions.changePolicy({ keepErrors: false })
      pause()
      actions.setView('diff')
      pause()
      actions.pin({ ...createPlayground(spawnInline).store.getState().policy })
    })
    expect(list).toEqual(['v=2&w=4', 'v=2&w=4&ke=0&o=diff', 'v=2&w=4&ke=0&a=1&o=diff'])
  })

  test('gets no history entry for an undo', () => {
    const list = followed(({ actions }, pause) => {
      actions.changePolicy({ keepErrors: false })
      pause()
      actions.undo()
    })
    expect(list).toEqual(['', ''])
  })

  test('is not overwritten when the browser goes to another entry before a change is written', () => {
    const list = followed(({ actions }, pause, { address, follow }) => {
      actions.changePolicy({ windowTurns: 5 }, 'windowTurns')
      address.list.push('v=2&w=3')
      actions.changePolicy({ windowTurns: 7 }, 'windowTurns')
      pause()
      expect(address.list).toEqual(['', 'v=2&w=3'])
      follow()
      actions.changePolicy({ windowTurns: 4 }, 'windowTurns')
    })
    expect(list).toEqual(['', 'v=2&w=4'])
  })

  test('is written at most once in 700 milliseconds', () => {
    followed(({ actions }, _, { address }) => {
      const replace = vi.spyOn(address, 'replace')
      for (let step = 0; step < 100; step++) {
        actions.changePolicy({ windowTurns: step + 10 }, 'windowTurns')
        vi.advanceTimersByTime(50)
      }
      expect(replace.mock.calls.length).toBeGreaterThan(3)
      expect(replace.mock.calls.length).toBeLessThan(10)
    })
  })
})
