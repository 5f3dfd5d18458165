import { expect, test } from 'vitest'
import { createJobScheduler } from './job-scheduler'

/** The jobs in `wanted` are needed until they are in `outputs`. */
function setUp(options: { isOverlapping?: boolean; isLateWelcome?: boolean } = {}) {
  const started: string[] = []
  const outputs: string[] = []
  const pending = new Map<string, (hasOutput: boolean) => void>()
  const state = { wanted: ['a'], retry: 0 }
  const schedule = createJobScheduler({
    ...options,
    retryOn: () => state.retry,
    needed: () =>
      state.wanted
        .filter((key) => !outputs.includes(key))
        .map((key) => ({
          key,
          start: () => {
            started.push(key)
            return new Promise((resolve) =>
              pending.set(key, (hasOutput) =>
                resolve(hasOutput ? () => outputs.push(key) : undefined),
              ),
            )
          },
        })),
  })
  const finish = async (key: string, hasOutput = true) => {
    pending.get(key)?.(hasOutput)
    await new Promise((resolve) => setTimeout(resolve))
  }
  const want = (...wanted: string[]) => {
    state.wanted = wanted
    schedule()
  }
  return { state, started, outputs, schedule, finish, want }
}

test('starts a job once, however often it is called', async () => {
  const { started, outputs, schedule, finish } = setUp()
  schedule()
  schedule()
  await finish('a')
  schedule()
  expect([started, outputs]).toEqual([['a'], ['a']])
})

test('waits for the output, then starts only the newest job', async () => {
  const { started, outputs, finish, want } = setUp()
  want('a')
  want('b')
  want('c')
  expect(started).toEqual(['a'])
  await finish('a')
  expect(started).toEqual(['a', 'c'])
  await finish('c')
  expect(outputs).toEqual(['c'])
})

test('stores a late output where it is welcome', async () => {
  const { outputs, finish, want } = setUp({ isLateWelcome: true })
  want('a')
  want('b')
  await finish('a')
  expect(outputs).toEqual(['a'])
})

test('stores the output of a job that is needed again meanwhile', async () => {
  const { started, outputs, finish, want } = setUp()
  want('a')
  want('b')
  want('a')
  await finish('a')
  expect([started, outputs]).toEqual([['a'], ['a']])
})

test('starts several needed jobs in their order', async () => {
  const { started, outputs, finish, want } = setUp()
  want('a', 'b')
  await finish('a')
  await finish('b')
  expect([started, outputs]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

test('does not start a job without output again until something changes', async () => {
  const { state, started, schedule, finish, want } = setUp()
  want('a', 'b')
  await finish('a', false)
  await finish('b', false)
  schedule()
  expect(started).toEqual(['a', 'b'])
  state.retry = 1
  schedule()
  expect(started).toEqual(['a', 'b', 'a'])
})

test('starts a job without output again after the output of another job', async () => {
  const { started, finish, want } = setUp()
  want('a', 'b')
  await finish('a', false)
  await finish('b')
  expect(started).toEqual(['a', 'b', 'a'])
})

test('overlapping jobs do not wait, and only the newest output is stored', async () => {
  const { started, outputs, finish, want } = setUp({ isOverlapping: true })
  want('a')
  want('b')
  expect(started).toEqual(['a', 'b'])
  await finish('b')
  await finish('a')
  expect(outputs).toEqual(['b'])
})

test('an overlapping job that gave way is started again when it is needed again', async () => {
  const { started, outputs, finish, want } = setUp({ isOverlapping: true })
  want('a')
  want('b')
  want('a')
  await finish('a', false)
  await finish('b')
  expect(started).toEqual(['a', 'b', 'a'])
  await finish('a')
  expect(outputs).toEqual(['a'])
})

test('overlapping jobs that end in the same tick are started once each', async () => {
  const { started, outputs, finish, want } = setUp({ isOverlapping: true })
  want('a')
  want('b')
  await Promise.all([finish('a'), finish('b')])
  expect([started, outputs]).toEqual([['a', 'b'], ['b']])
})
