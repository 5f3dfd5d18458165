import { expect, test } from 'vitest'
import { runInTasks } from './deferred-state'
import { eventually } from './testing/eventually'

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('steps run later and in order; a step after a long one has a task of its own', async () => {
  const seen: string[] = []
  const step = (name: string, milliseconds: number) => () => {
    spend(milliseconds)
    seen.push(name)
    queueMicrotask(() => seen.push(`task of ${name}`))
  }
  runInTasks([step('a', 0), step('b', 20), step('c', 20), step('d', 0)])
  expect(seen).toEqual([])
  await eventually(() => expect(seen).toHaveLength(8))
  expect(seen).toEqual(['a', 'b', 'task of a', 'task of b', 'c', 'task of c', 'd', 'task of d'])
})
