import { readFile } from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { countsOf } from '@/lib/state/document/selectors'
import type { FetchText } from '@/lib/state/files/samples'
import { startPlayground } from '@/lib/state/link/settings-url'
import { loopReportOf } from '@/lib/state/loop/found-repeats'
import { createPlayground } from '@/lib/state/playground'
import { decisionsOf, figuresOf, sweepOf } from '@/lib/state/policy/policy-view'
import { eventually } from '@/lib/state/testing/eventually'
import { riskOf } from '@/lib/state/uses/later-uses'
import { writeAnswers } from '@/lib/worker/known-answers'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { SpawnWorker } from '@/lib/worker/worker-client'
import { recordAnswers } from './record-answers'

const SITE = new URL('../../public/', import.meta.url)
const PATH = 'samples/first.json'
const fetchText = (path: string) => readFile(new URL(path, SITE), 'utf8')

/** The figures of a first visit. */
async function firstView(spawn: SpawnWorker, fetched: FetchText) {
  const page = createPlayground(spawn)
  await startPlayground(page, '', fetched, async () => ({
    isResumed: false,
    isKnownAddress: false,
  }))
  await eventually(() => expect(sweepOf(page.store.getState())).toBeDefined())
  const state = page.store.getState()
  return {
    counts: countsOf(state),
    decisions: decisionsOf(state),
    costs: figuresOf(state),
    risk: riskOf(state),
    recommended: recommendationOf(state),
    sweep: sweepOf(state),
    repeated: loopReportOf(state),
  }
}

afterEach(() => {
  vi.unstubAllEnvs()
})

test('with the recorded answers, a first view needs no worker and shows what a worker finds', async () => {
  const written = writeAnswers(await recordAnswers(fetchText))
  const figures = await firstView(spawnInline, fetchText)
  expect(figures.risk).toBeDefined()
  expect(figures.recommended).toBeDefined()

  vi.stubEnv('NEXT_PUBLIC_FIRST_SAMPLE', PATH)
  let started = 0
  const spawn: SpawnWorker = (encoding) => {
    started++
    return spawnInline(encoding)
  }
  const known = await firstView(spawn, async (path) => (path === PATH ? written : fetchText(path)))
  expect(started).toBe(0)
  expect(known).toEqual(figures)
})

test('where the answers cannot be fetched, a worker finds them', async () => {
  vi.stubEnv('NEXT_PUBLIC_FIRST_SAMPLE', PATH)
  for (const fetched of [undefined, '<!doctype html>']) {
    const { risk } = await firstView(spawnInline, async (path) =>
      path === PATH ? fetched : fetchText(path),
    )
    expect(risk).toBeDefined()
  }
})
