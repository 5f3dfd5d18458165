import { expect, test } from 'vitest'
import { createDraftLocks, type Locks } from './draft-locks'

/** Browser locks that are granted only at the given request; `held` are locks of other tabs. */
function slowLocks(given: number, held: readonly string[] = []): Locks {
  let asked = 0
  const request = (
    _: string,
    { signal }: LockOptions,
    use: (lock: Lock | null) => Promise<void>,
  ) => {
    asked++
    if (asked >= given && held.length === 0) return use(null)
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  }
  return {
    request: request as Locks['request'],
    query: async () => ({ held: held.map((name) => ({ name })), pending: [] }),
  }
}

test('a lock that the browser grants late is still acquired', async () => {
  const locks = slowLocks(3)
  expect(await createDraftLocks(() => locks).lock('a')).toBe(true)
})

test('a lock of another tab is not acquired', async () => {
  const locks = slowLocks(1, ['masking-playground.draft/a'])
  expect(await createDraftLocks(() => locks).lock('a')).toBe(false)
})
