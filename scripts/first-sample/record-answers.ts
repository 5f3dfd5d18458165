/** Opens the sample of a first visit as the page does, and records what its worker says of it. */
import { setTimeout } from 'node:timers/promises'
import { familyOf } from '@/lib/state/costs/chosen-model'
import type { FetchText } from '@/lib/state/files/samples'
import { startPlayground } from '@/lib/state/link/settings-url'
import { createPlayground } from '@/lib/state/playground'
import { sweepOf } from '@/lib/state/policy/policy-view'
import { repairOf } from '@/lib/state/repair/document-repair'
import { type KnownAnswers, keyOfQuestion } from '@/lib/worker/known-answers'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'

const MOST_MILLISECONDS = 120_000

/** `fetchText` reads a file of the site. Throws if the figures of the sample are not there after two minutes. */
export async function recordAnswers(fetchText: FetchText): Promise<KnownAnswers> {
  const playground = createPlayground(spawnInline)
  const { store } = playground
  const outputs: Record<string, unknown> = {}
  store.subscribe(({ read, counted, answers }) => {
    if (read !== undefined) outputs.model = read.model
    if (counted !== undefined) outputs.counts = counted.counts
    for (const { name, input, output } of answers) outputs[keyOfQuestion(name, input)] = output
  })
  const began = performance.now()
  await startPlayground(playground, '', fetchText, async () => ({
    isResumed: false,
    isKnownAddress: false,
  }))
  // These are the last questions; the sweep needs the price list, which loads by itself.
  const isDone = (state = store.getState()) =>
    sweepOf(state) !== undefined && repairOf(state) !== undefined
  while (!isDone()) {
    await setTimeout(20)
    if (performance.now() - began > MOST_MILLISECONDS)
      throw new Error('The first sample still has no figures after two minutes.')
  }
  const state = store.getState()
  return { text: state.source.text, encoding: familyOf(state).encoding, outputs }
}
