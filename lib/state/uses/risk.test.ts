import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shownTool } from '@/lib/core/conversation/conversation'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { sentMessagesOf } from '../costs/request-view'
import { resultRowsOf } from '../document/result-table'
import { conversationOf } from '../document/selectors'
import { figuresOfOffer } from '../policy/offered-policies'
import { figuresOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import { opened } from '../testing/open-session'
import { arcsOf, forgottenOf, repeatedArcsOf, riskOf } from './later-uses'

const SAMPLES = JSON.parse(readFileSync('public/samples/index.json', 'utf8')) as { file: string }[]
const POLICIES: readonly Partial<MaskPolicy>[] = [
  { windowTurns: 1, keepErrors: false },
  { windowTurns: 3, batchTurns: 4 },
  { windowTurns: 8, batchTurns: 'auto' },
  { windowTurns: 5, keepLastKPerTool: 2, textParts: true },
]

const openSample = (file: string) => opened(readFileSync(`public/samples/${file}`, 'utf8'))
type Opened = Awaited<ReturnType<typeof opened>>

/** Sets a policy and waits until its forgotten results are known. */
async function forgottenUnder({ store, actions }: Opened, policy: Partial<MaskPolicy>) {
  actions.changePolicy({ enabled: true, ...policy })
  return eventually(() => {
    const state = store.getState()
    const [rows, arcs, again] = [forgottenOf(state), arcsOf(state), repeatedArcsOf(state)]
    if (!rows || !arcs || !again || !riskOf(state)) throw new Error('They are not known yet.')
    return { rows, arcs: [...arcs.lost, ...again] }
  })
}

describe.each(SAMPLES.map(({ file }) => file))('in the sample %s', (file) => {
  test('every forgotten result has an arc, and every arc of a loss a result', async () => {
    const playground = await openSample(file)
    const { store, actions } = playground
    for (const policy of POLICIES) {
      const { rows, arcs } = await forgottenUnder(playground, policy)
      const results = conversationOf(store.getState())?.results ?? []
      const places = rows.map(({ result, message }) => [results[result]?.message, message])
      expect(arcs).toEqual(expect.arrayContaining(places))
      const starts = arcs.map(([from]) => from)
      expect(new Set(starts)).toEqual(new Set(places.map(([from]) => from)))
      // The table of results counts the same ones.
      const counted = resultRowsOf(store.getState())?.filter(({ lostUses }) => lostUses)
      expect(counted?.map(({ result }) => result)).toEqual(rows.map(({ result }) => result))
      // An earlier request has those of the answers until then.
      actions.chooseRequest(5)
      const state = store.getState()
      const until = [...(arcsOf(state)?.lost ?? []), ...(repeatedArcsOf(state) ?? [])]
      const sent = sentMessagesOf(state)
      expect(until).toEqual(arcs.filter(([, to]) => to < sent))
      actions.chooseRequest(undefined)
    }
  })

  test('each tool that is kept costs what its row says', async () => {
    const playground = await openSample(file)
    const { store, actions } = playground
    for (const settings of POLICIES) {
      const { rows } = await forgottenUnder(playground, { excludeTools: [], ...settings })
      const { policy } = store.getState()
      const results = conversationOf(store.getState())?.results ?? []
      const tools = new Set(rows.map(({ result }) => shownTool(results[result]) ?? ''))
      const kept = [...tools].map((tool) => ({ ...policy, excludeTools: [tool] }))
      const end = actions.offer(kept)
      const figures = await eventually(() => {
        const all = figuresOfOffer(store.getState(), kept)
        expect(all).toHaveLength(kept.length)
        return all ?? []
      })
      for (const [at, one] of kept.entries()) {
        actions.changePolicy(one)
        await eventually(() => {
          expect(figuresOf(store.getState())?.after).toEqual(figures[at]?.after)
        })
      }
      end()
    }
  })
})
