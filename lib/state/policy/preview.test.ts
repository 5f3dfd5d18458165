import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cheapestOf, PRESETS } from '@/lib/core/share/presets'
import { anyPolicy } from '@/lib/core/testing/policies'
import { shownDecisionsOf } from '../costs/request-view'
import { settingsFragment } from '../link/settings-url'
import type { Playground } from '../playground'
import { eventually } from '../testing/eventually'
import { opened, SESSION } from '../testing/open-session'
import { forgottenOf } from '../uses/later-uses'
import { figuresOfOffer } from './offered-policies'
import { figuresOf } from './policy-view'
import { previewedOf, previewedStore } from './preview'

const figuresShownBy = ({ store }: Playground) => figuresOf(previewedOf(store.getState()))

/** Previews settings and waits until the instrument has them. */
async function previewing(settings = { windowTurns: 3, enabled: true }) {
  const playground = await opened()
  playground.actions.preview(settings)
  await eventually(() => expect(playground.store.getState().preview).toMatchObject(settings))
  return playground
}

describe('a preview', () => {
  test('has the figures that the settings have once they are set', async () => {
    const playground = await previewing()
    const figures = await eventually(() => {
      const found = figuresShownBy(playground)
      expect(found).toBeDefined()
      return found
    })
    expect(figures).not.toEqual(figuresOf(playground.store.getState()))
    playground.actions.changePolicy({ windowTurns: 3, enabled: true })
    expect(playground.store.getState().preview).toBeUndefined()
    await eventually(() => expect(figuresOf(playground.store.getState())).toEqual(figures))
  })

  test('of any policy changes neither settings, text, decisions, undo history nor address', async () => {
    const playground = await opened()
    const { store, actions } = playground
    await fc.assert(
      fc.asyncProperty(anyPolicy, async (policy) => {
        const before = store.getState()
        actions.preview(policy)
        await eventually(() => expect(store.getState().preview).toEqual(policy))
        await eventually(() => expect(figuresShownBy(playground)?.after.tokens).toBeDefined())
        const after = store.getState()
        const changed = Object.keys(after).filter(
          (part) => after[part as keyof typeof after] !== before[part as keyof typeof after],
        )
        expect(['answers', 'preview', 'reading']).toEqual(expect.arrayContaining(changed))
        expect(settingsFragment(after)).toBe(settingsFragment(before))
        expect(shownDecisionsOf(after)).toBe(shownDecisionsOf(before))
        actions.preview(undefined)
        await eventually(() => expect(store.getState().preview).toBeUndefined())
      }),
      { numRuns: 12 },
    )
  })

  test('is shown as chosen by the user, so the verdict does not wait for recommended settings', async () => {
    const { store } = await previewing()
    store.setState({ policyFrom: 'default' })
    expect(previewedOf(store.getState()).policyFrom).toBe('user')
    expect(store.getState().policyFrom).toBe('default')
  })

  test('begins after a moment, and not if it is taken back before', async () => {
    const { actions, store } = await opened()
    const seen: unknown[] = []
    store.subscribe(({ preview }) => seen.push(preview))
    actions.preview({ windowTurns: 3 })
    expect(store.getState().preview).toBeUndefined()
    actions.preview({ windowTurns: 4 })
    actions.preview(undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(seen.filter((preview) => preview !== undefined)).toEqual([])
  })

  test.each<[string, (playground: Playground) => void]>([
    ['the policy changes', ({ actions }) => actions.changePolicy({ keepErrors: false })],
    ['a step is undone', ({ actions }) => actions.undo()],
    ['the document changes', ({ actions }) => actions.openText('[]', 'b', { kind: 'file' })],
    ['the text changes', ({ actions }) => actions.replaceTyped(`${SESSION} `)],
    ['another conversation is shown', ({ actions }) => actions.chooseConversation(1)],
  ])('ends when %s', async (_, change) => {
    const playground = await opened()
    playground.actions.changePolicy({ windowTurns: 9 })
    playground.actions.preview({ windowTurns: 3 })
    await eventually(() => expect(playground.store.getState().preview).toBeDefined())
    change(playground)
    expect(playground.store.getState().preview).toBeUndefined()
  })

  test('is what readers of the previewed store get, in the same state each time', async () => {
    const { store } = await previewing()
    const { getState } = previewedStore(store)
    expect(getState().policy.windowTurns).toBe(3)
    expect(getState()).toBe(getState())
  })
})

describe('the policies that a view offers', () => {
  test('have the figures that the page has under each of them', async () => {
    const { store, actions } = await opened()
    const offered = PRESETS.map(({ policy }) => policy)
    const end = actions.offer(offered)
    const figures = await eventually(() => {
      const all = figuresOfOffer(store.getState(), offered)
      expect(all).toHaveLength(PRESETS.length)
      return all ?? []
    })
    expect(figuresOfOffer(store.getState(), offered)).toBe(figures)
    for (const [at, policy] of offered.entries()) {
      actions.changePolicy(policy)
      await eventually(() => {
        const state = store.getState()
        const { before, after } = figuresOf(state) ?? {}
        const forgotten = forgottenOf(state)?.length
        expect({ before, after, forgotten }).toEqual(figures[at])
      })
    }
    end()
    expect(figuresOfOffer(store.getState(), offered)).toBeUndefined()
  })

  test('are those of the view that asked last, also once the other one ends', async () => {
    const { store, actions } = await opened()
    const { policy } = store.getState()
    const [first, second] = [[{ ...policy, windowTurns: 3 }], [{ ...policy, windowTurns: 5 }]]
    const endFirst = actions.offer(first)
    await eventually(() => expect(figuresOfOffer(store.getState(), first)).toHaveLength(1))
    const endSecond = actions.offer(second)
    endFirst()
    await eventually(() => expect(figuresOfOffer(store.getState(), second)).toHaveLength(1))
    expect(figuresOfOffer(store.getState(), first)).toBeUndefined()
    endSecond()
    expect(store.getState().offered).toBeUndefined()
  })
})

describe('of policies', () => {
  const side = (tokens: number, cached: number | undefined) => ({
    tokens,
    split: { read: 0, written: 0, fresh: tokens },
    costs: { plain: cached, cached, output: 0 },
  })
  const of = (tokens: number, cached?: number) => ({
    before: side(100, cached && 5),
    after: side(tokens, cached),
  })
  test('the cheapest are marked where they cost less than not masking', () => {
    const marked = (...all: ReturnType<typeof of>[]) => cheapestOf(all)
    expect(marked(of(50, 4), of(40, 4), of(1, 4.5))).toEqual([true, true, false])
    expect(marked(of(50, 6), of(40, 5))).toEqual([false, false])
    expect(marked(of(50), of(40))).toEqual([false, true])
    expect(marked(of(100))).toEqual([false])
    // A price that only what is masked needs, such as that of cache writes, can be unknown.
    const unknown = { before: side(100, 5), after: side(40, undefined) }
    expect(marked(unknown, of(50, 4))).toEqual([false, true])
  })
})
