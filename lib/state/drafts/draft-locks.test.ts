import { expect, test } from 'vitest'
import { createDraftLocks, type Locks } from './draft-locks'

/** A browser's locks that gives each only when it is asked for the given time; `held` are those of other tabs. */
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

test('a lock that the browser gives late is taken all the same', async () => {
  const locks = slowLocks(3)
  expect(await createDraftLocks(() => locks).hold('a')).toBe(true)
})

test('a lock that another tab keeps is not taken', async () => {
  const locks = slowLocks(1, ['masking-playground.draft/a'])
  expect(await createDraftLocks(() => locks).hold('a')).toBe(false)
})
