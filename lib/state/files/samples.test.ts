import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IS_LARGE } from '@/lib/core/testing/test-size'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { loadSampleList, openSample } from './samples'

test('every sample of the lists is read', { timeout: 120_000 }, async () => {
  const fetchText = async (path: string) => readFileSync(`public/${path}`, 'utf8')
  const { store } = await listed()
  const { samples, formatSamples } = store.getState()
  const all = [...samples, ...formatSamples]
  // Those of JSON are read in the tests of their formats, too.
  const opened = IS_LARGE ? all : all.filter(({ file }) => !/\.jsonl?$/.test(file))
  const states: string[] = []
  for (const { id } of opened) {
    const playground = await listed()
    await openSample(playground, id, fetchText)
    const reading = () => playground.store.getState().reading
    await eventually(() => expect(reading().state).toMatch(/read$|failed/))
    states.push(`${id} ${reading().state}`)
  }
  expect(states.length).toBeGreaterThan(4)
  expect(states.filter((state) => !state.endsWith(' read'))).toEqual([])

  async function listed() {
    const playground = createPlayground(spawnInline)
    await loadSampleList(playground, fetchText)
    return playground
  }
})
