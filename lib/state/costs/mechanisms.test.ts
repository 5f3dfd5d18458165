import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { asItRan, UNCHANGED } from '@/lib/core/mechanisms/as-it-ran'
import {
  measureTogether,
  searchedMechanism,
  triedSettings,
} from '@/lib/core/mechanisms/best-settings'
import { readHistory } from '@/lib/core/mechanisms/history'
import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { defaultSettings, type Mechanism, type Settings } from '@/lib/core/mechanisms/mechanism'
import { type MeasuredMechanism, viewedMechanism } from '@/lib/core/mechanisms/mechanism-view'
import { MECHANISMS, mechanismOf } from '@/lib/core/mechanisms/mechanisms'
import { measureMechanism } from '@/lib/core/mechanisms/testing/test-history'
import { sentRequest } from '@/lib/core/mechanisms/write-request'
import { POLICY_FIELDS, settingsOfPolicy } from '@/lib/core/policy/policy'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import { createSessions } from '@/lib/core/replay/sessions'
import { resultOf } from '@/lib/core/steps'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { forAll, forAllAsync, testSize } from '@/lib/core/testing/test-size'
import { countConversation } from '@/lib/core/tokens/count-conversation'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { findLaterUses } from '@/lib/core/uses/find-later-uses'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { familyOf } from '../costs/chosen-model'
import { conversationRowsOf, sumRows } from '../document/conversation-rows'
import { markKindsOf } from '../document/message-facts'
import { currentOutputPiecesOf } from '../document/output-view'
import { outputPreviewOf } from '../document/text-preview'
import { createPlayground } from '../playground'
import { figuresOf, lostUsesOf, measureOf, outputTextOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { MESSAGES, opened, recorder, turn } from '../testing/open-session'
import { settingCurveOf } from '../timeline/cost-curve'
import { forgottenOf } from '../uses/later-uses'
import { costTermsOf } from './cost-terms'
import { comparisonOf, mechanismFactsOf } from './mechanisms'
import { shownDecisionsOf, shownMeasureOf } from './request-view'
import { reportFactsOf } from './session-report'
import { hasClearings } from './shown-session'
import { isWritten, triedMechanismOf, triedTogetherOf, triedViewOf } from './tried-mechanism'

/** A session that takes something from an early result late, and issues a call again. */
const TEXT = JSON.stringify([
  ...MESSAGES.slice(0, 2),
  ...turnOf('note', 'see PAY7407366', 'look'),
  ...MESSAGES.slice(2, -1),
  ...turn(0, 100).map((message) =>
    JSON.parse(JSON.stringify(message).replaceAll('call_0', 'again')),
  ),
  { role: 'assistant', content: 'It is PAY7407366.' },
])

const SAMPLE = readFileSync('public/samples/coding-session.json', 'utf8')

/** The sessions of a text as mechanisms see them, without the page. */
async function historiesApart(state: PlaygroundState, text: string) {
  const { countTokens } = await loadEncoding(familyOf(state).encoding)
  const { conversations } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countTokens))
  const histories = createSessions(conversations, counts).map((session) => {
    const conversation = conversations[session.conversations.at(-1) ?? -1]
    if (!conversation) throw new RangeError(text)
    const uses = findLaterUses(session, conversation)
    return readHistory({ session, counted: session }, conversation, countTokens, uses)
  })
  return { histories, countTokens }
}

async function historyApart(state: PlaygroundState, text: string) {
  const { histories, countTokens } = await historiesApart(state, text)
  return { history: histories[0] as (typeof histories)[number], countTokens }
}

/** What the core measures of the same text. */
async function measuredApart(
  state: PlaygroundState,
  id: string,
  settings?: Settings,
): Promise<MeasuredMechanism> {
  const { history, countTokens } = await historyApart(state, TEXT)
  const [terms, mechanism] = [costTermsOf(state)?.terms, mechanismOf(id)]
  if (!terms || !mechanism) throw new RangeError(id)
  const session = { history, terms }
  return settings === undefined
    ? resultOf(searchedMechanism([session], mechanism, 0.95))
    : resultOf(viewedMechanism(session, mechanism, settings, countTokens))
}

const withoutForgotten = ({ forgotten: _, ...figures }: Record<string, unknown>) => figures

test('every mechanism is compared as the core measures it, the cheapest first', async () => {
  const { store, actions } = await opened(TEXT)
  const get = store.getState
  const ids = ['schema1', 'anthropic-clear-tool-uses', 'truncate', 'swe-agent-last-n', 'summary']
  expect(mechanismFactsOf(get())).toBeUndefined()
  actions.compareMechanisms(ids)
  await eventually(() => expect(comparisonOf(get())?.areAllKnown).toBe(true))
  const rows = comparisonOf(get())?.rows ?? []
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort())
  const costs = rows.map(({ measure, best = measure }) => best.cost ?? 0)
  expect(costs).toEqual([...costs].sort((a, b) => a - b))
  for (const { id, measure, best, keeping } of rows) {
    const apart = await measuredApart(get(), id)
    // The policy is in use.
    if (id !== 'schema1')
      expect(withoutForgotten({ ...measure }), id).toEqual(withoutForgotten({ ...apart.measure }))
    expect(best?.settings, id).toEqual(apart.best?.settings)
    expect(best?.cost, id).toBe(apart.best?.cost)
    expect(keeping?.settings, id).toEqual(apart.keeping?.settings)
  }
  // Lists are compared by what they hold.
  for (const { settings } of mechanismFactsOf(get()) ?? []) expect(settings).not.toMatch(/exclude/)
  // A report has what no other beats: what costs more forgets less.
  const facts = mechanismFactsOf(get()) ?? []
  expect(facts.length).toBeGreaterThan(0)
  for (const [at, { cost = 0, forgotten }] of facts.entries()) {
    const next = facts[at + 1]
    expect(next?.cost ?? Infinity).toBeGreaterThan(cost)
    expect(next?.forgotten ?? -1).toBeLessThan(forgotten)
    const beaten = rows.flatMap(({ measure, best = measure }) => [measure, best])
    const beats = beaten.filter((one) => (one.cost ?? 0) < cost && one.forgotten <= forgotten)
    expect(beats).toEqual([])
  }
})

test('what the client itself cleared is there again under a mechanism, also before it, as the core measures it', async () => {
  const exported = JSON.parse(readFileSync('public/samples/formats/opencode/export.json', 'utf8'))
  const { messages } = exported
  const compacted = messages[10].info.time.created + 1
  for (const { parts } of messages.slice(0, 8))
    for (const { state } of parts) if (state) state.time = { ...state.time, compacted }
  // Without usage, the tokens of this model are as we count them.
  const text = JSON.stringify(exported, (key, value) =>
    key === 'tokens' ? undefined : key === 'modelID' ? 'gpt-5.1' : value,
  )
  const { store, actions } = await opened(text)
  const get = store.getState
  await eventually(() => expect(hasClearings(get())).toBe(true))
  actions.changePolicy({ windowTurns: 2 })
  actions.compareMechanisms(['as-it-ran', ...MECHANISMS.map(({ id }) => id)])
  await eventually(() => expect(comparisonOf(get())?.areAllKnown).toBe(true))
  const { history } = await historyApart(get(), text)
  const session = { history, terms: costTermsOf(get())?.terms as CostTerms }
  const apart = resultOf(measureTogether([session], UNCHANGED, {})) as ShownFigures
  const { unchanged, rows } = comparisonOf(get()) ?? { rows: [] }
  expect(unchanged).toMatchObject({ tokens: apart.tokens, cost: apart.cost })
  expect(measureOf(get())?.tokens.before).toBeLessThan(history.prefixTokens.at(-1) ?? 0)
  for (const { id, measure, best } of rows) {
    const mechanism = id === asItRan.id ? asItRan : (mechanismOf(id) as Mechanism)
    const own = id === 'schema1' ? settingsOfPolicy(get().policy) : undefined
    const expected = resultOf(searchedMechanism([session], mechanism, 0.95, own))
    expect([measure.tokens, measure.cost, measure.settings], id).toEqual(
      [expected.measure].flatMap(({ tokens, cost, settings }) => [tokens, cost, settings]),
    )
    // The search is by the default policy.
    if (own === undefined) expect(best?.cost, id).toBe(expected.best.cost)
  }
  expect(rows.find(({ id }) => id === 'as-it-ran')?.measure.tokens).toBeLessThan(apart.tokens)

  actions.tryMechanism({ id: 'opencode-prune', settings: { prune: false } })
  await eventually(() => expect(triedViewOf(get())).toBeDefined())
  const { before, after } = figuresOf(get()) ?? {}
  expect([before?.tokens, before?.costs.cached]).toEqual([apart.tokens, apart.cost])
  expect(after?.tokens).toBe(apart.tokens)
  const last = history.prefixTokens.at(-1)
  expect(measureOf(get())?.tokens).toEqual({ before: last, after: last })
})

test('the curve of the mechanism that is tried has the figures of each value, and stays while it is set', async () => {
  const { asked, spawn } = recorder()
  const { store, actions } = await opened(TEXT, spawn)
  const get = store.getState
  const id = 'swe-agent-last-n'
  actions.tryMechanism({ id, settings: { n: 5, polling: 4 } })
  const curve = await eventually(() => {
    expect(settingCurveOf(get())).toBeDefined()
    return settingCurveOf(get())
  })
  const { history } = await historyApart(get(), TEXT)
  const [terms, mechanism] = [costTermsOf(get())?.terms, mechanismOf(id)]
  if (!terms || !mechanism) throw new RangeError(id)
  for (const point of curve?.places ?? [])
    expect(
      measureMechanism(history, mechanism, { n: point.value, polling: 4 }, terms),
    ).toMatchObject({ tokens: point.tokens, cost: point.cost, lostUses: point.lostUses })
  expect(curve?.places.map(({ value }) => value)).toEqual(expect.arrayContaining([1, 3, 5, 80]))
  expect(curve?.key).toBe('n')
  actions.tryMechanism({ id, settings: { n: 20, polling: 4 } })
  expect(settingCurveOf(get())).toBe(curve)
  await eventually(() => expect(triedMechanismOf(get())).toBeDefined())
  expect(asked('mechanismCurve')).toHaveLength(1)
  const [at = { cost: 0 }] = curve?.places.filter(({ value }) => value === 20) ?? []
  expect(triedMechanismOf(get())?.measure.cost).toBe(at.cost)
  expect(figuresOf(get())?.before.costs.cached).toBeCloseTo(curve?.before.value ?? 0, 12)
  actions.tryMechanism({ id, settings: { n: 20, polling: 1 } })
  await eventually(() => expect(settingCurveOf(get())).toBeDefined())
  expect(settingCurveOf(get())).not.toBe(curve)
  actions.tryMechanism({ id: 'as-it-ran', settings: {} })
  await eventually(() => expect(triedMechanismOf(get())).toBeDefined())
  expect(settingCurveOf(get())).toBeUndefined()
})

test.each([{ windowTurns: 4 }, { windowTurns: 3, batchTurns: 5 }])(
  'Schema 1 has the figures that it has as a mechanism, and forgets what the page says: %j',
  async (change) => {
    const { store, actions } = await opened(TEXT)
    const get = store.getState
    actions.changePolicy({ enabled: true, ...change })
    actions.compareMechanisms(['swe-agent-last-n', 'schema1'])
    await eventually(() => expect(comparisonOf(get())?.areAllKnown).toBe(true))
    const { policy } = get()
    const fields = POLICY_FIELDS.map(({ key, toml }) => [toml, policy[key]])
    const { measure: apart } = await measuredApart(get(), 'schema1', Object.fromEntries(fields))
    const shown = comparisonOf(get())?.rows.find(({ id }) => id === 'schema1')?.measure
    const { tokens, cost, lostUses, rewrites, rewrittenTokens, peakTokens } = apart
    expect(rewrites).toBeGreaterThan(0)
    expect(shown).toMatchObject({
      ...{ tokens, lostUses, rewrites, rewrittenTokens, peakTokens },
      forgotten: forgottenOf(get())?.length,
    })
    expect(shown?.cost).toBeCloseTo(cost ?? Number.NaN, 12)
    // The noted result, and the one whose call is issued again.
    expect(shown?.forgotten).toBe(2)
  },
)

test('a mechanism is tried with the settings of the user; what is issued again counts as forgotten', async () => {
  const { store, actions } = await opened(TEXT)
  const get = store.getState
  const mechanism = mechanismOf('swe-agent-last-n')
  const settings = { ...defaultSettings(mechanism ?? { rows: [] }), n: 2 }
  actions.compareMechanisms(['swe-agent-last-n'])
  actions.tryMechanism({ id: 'swe-agent-last-n', settings })
  await eventually(() => expect(triedMechanismOf(get())).toBeDefined())
  expect(triedMechanismOf(get())?.measure).toMatchObject({ settings, forgotten: 2 })
  actions.tryMechanism({ id: 'swe-agent-last-n', settings: { ...settings, n: 100 } })
  expect(triedMechanismOf(get())).toBeUndefined()
  await eventually(() => expect(triedMechanismOf(get())?.measure.forgotten).toBe(0))
})

test('what is set there and back, at whatever pace, is answered where it stays', async () => {
  const { store, actions } = await opened(TEXT)
  const anyPace = fc.constantFrom('at once', 'later', 'answered', 'answered')
  await forAllAsync(100, [fc.array(anyPace, { minLength: 6, maxLength: 10 })], async (paces) => {
    for (const [at, pace] of paces.entries()) {
      actions.tryMechanism({ id: 'swe-agent-last-n', settings: { n: 1 + (at % 2), polling: 1 } })
      if (pace === 'later') await new Promise((resolve) => setTimeout(resolve, 120))
      if (pace === 'answered')
        await eventually(() => expect(triedMechanismOf(store.getState())).toBeDefined())
    }
  })
})

/** What the instrument and the panes show. */
function shownOf(state: PlaygroundState) {
  const { before, after, prefixBreaks } = figuresOf(state) ?? {}
  return {
    decisions: shownDecisionsOf(state)?.map((all) => all.map(({ placeholder }) => placeholder)),
    masked: markKindsOf(state)?.map((kind) => kind === 'masked'),
    output: outputTextOf(state),
    request: shownMeasureOf(state),
    next: measureOf(state),
    figures: { before, after, prefixBreaks },
    lost: lostUsesOf(state)?.map(({ use }) => use),
    forgotten: forgottenOf(state),
  }
}

test.each([TEXT, SAMPLE])(
  'the page shows Schema 1 as a mechanism as it shows the policy, in every request',
  async (text) => {
    const { store, actions } = await opened(text)
    const get = store.getState
    actions.changePolicy({ enabled: true, windowTurns: 4, batchTurns: 2 })
    await eventually(() => expect(forgottenOf(get()) && figuresOf(get())).toBeDefined())
    const count = figuresOf(get())?.requestCount ?? 0
    const requests = [undefined, ...Array(count).keys()].filter(
      (at) => at === undefined || at % Math.ceil(count / 12) === 0,
    )
    const all = () =>
      requests.map((at) => {
        actions.chooseRequest(at)
        return shownOf(get())
      })
    const expected = all()
    expect(expected[0]?.forgotten?.length).toBeGreaterThan(0)
    const fields = POLICY_FIELDS.map(({ key, toml }) => [toml, get().policy[key]])
    actions.tryMechanism({ id: 'schema1', settings: Object.fromEntries(fields) })
    actions.changePolicy({ windowTurns: 100 })
    await eventually(() => expect(triedViewOf(get())).toBeDefined())
    expect(all()).toEqual(expected)
    actions.tryMechanism(undefined)
    await eventually(() => expect(figuresOf(get())?.prefixBreaks).toBe(0))
  },
)

/** Two sessions: two requests of one, and one of another. */
const RUNS = [5, 20, 9]
  .map((turns) => JSON.stringify({ messages: MESSAGES.slice(0, 2 + 2 * turns) }))
  .join('\n')

test.each([
  ['swe-agent-last-n', { n: 1 }],
  ['truncate', { head_chars: 50, tail_chars: 50 }],
  ['summary', { every_turns: 3, recent_turns: 2, trigger_tokens: 0, summary_tokens: 50 }],
  ['used-again', { window_turns: 2, batch_turns: 2 }],
])('all sessions of a file under %s come to what they come to one by one', async (id, strong) => {
  const { store, actions } = await opened(RUNS)
  const get = store.getState
  const mechanism = mechanismOf(id) as (typeof MECHANISMS)[number]
  const settings = { ...defaultSettings(mechanism), ...strong } as Settings
  actions.tryMechanism({ id, settings })
  const maskedOf = () => sumRows(conversationRowsOf(get())).masked
  expect([triedTogetherOf(get()), maskedOf()]).toEqual([undefined, undefined])
  await eventually(() => expect(triedTogetherOf(get())).toBeDefined())
  const { histories } = await historiesApart(get(), RUNS)
  const { terms } = costTermsOf(get()) ?? {}
  const sum = (one: typeof mechanism, chosen: Settings) => {
    if (terms === undefined) throw new RangeError(id)
    const sessions = histories.map((history) => ({ history, terms }))
    const sum = resultOf(measureTogether(sessions, one, chosen)) as ShownFigures
    const { tokens, cost, lostUses, rewrites } = sum
    return { tokens, cost, lostUses, rewrites }
  }
  const { before, after, count } = triedTogetherOf(get()) ?? {}
  expect(count).toBe(2)
  expect(before).toMatchObject(sum(UNCHANGED, {}))
  expect(after).toMatchObject(sum(mechanism, settings))
  expect(after?.tokens).toBeLessThan(before?.tokens ?? 0)
  // Other sessions have what they have where they are shown.
  const rows = conversationRowsOf(get()).map(({ masked }) => masked)
  for (const [at, masked] of rows.entries()) {
    actions.chooseConversation(at)
    await eventually(() => expect(triedTogetherOf(get())).toBeDefined())
    expect(conversationRowsOf(get()).map((row) => row.masked)).toEqual(rows)
    const changed = measureOf(get())?.maskedResults
    expect(changed).toBe(masked)
  }
})

test('the text of several sessions is that of the policy where Schema 1 is tried, and waits for all of them', async () => {
  const { store, actions } = await opened(RUNS)
  const get = store.getState
  actions.changePolicy({ enabled: true, windowTurns: 3 })
  const shown = () => [conversationRowsOf(get()), currentOutputPiecesOf(get())?.join('')]
  await eventually(() => expect(currentOutputPiecesOf(get())).toBeDefined())
  const expected = shown()
  expect(sumRows(conversationRowsOf(get())).masked).toBe(2 + 17 + 6)
  const fields = POLICY_FIELDS.map(({ key, toml }) => [toml, get().policy[key]])
  actions.tryMechanism({ id: 'schema1', settings: Object.fromEntries(fields) })
  expect(currentOutputPiecesOf(get())).toBeUndefined()
  await eventually(() => expect(currentOutputPiecesOf(get())).toBeDefined())
  expect(isWritten(get())).toBe(false)
  expect(shown()).toEqual(expected)
})

/** Every fourth in a small run: they replace results, leave out messages and write a summary. */
const SOME = MECHANISMS.filter((_, at) => at % testSize(4, 1) === 0)

test.each(SOME.map((one) => [one.id, one] as const))(
  'what is copied, and the report, are those of %s at its strongest settings',
  async (id, mechanism) => {
    const { store, actions } = await opened(TEXT)
    const get = store.getState
    const { history } = await historyApart(get(), TEXT)
    for (const settings of [defaultSettings(mechanism), triedSettings(mechanism).at(-1) ?? {}]) {
      actions.tryMechanism({ id, settings })
      for (const request of [undefined, 3]) {
        actions.chooseRequest(request)
        await eventually(() => expect(triedViewOf(get())).toBeDefined())
        if (!isWritten(get())) continue
        await eventually(() => expect(currentOutputPiecesOf(get())).toBeDefined())
        const sent = resultOf(sentRequest(history, mechanism, settings, request))
        expect(currentOutputPiecesOf(get())).toEqual([sent?.text])
        const lines = outputPreviewOf(get())?.lines.map(({ output: [piece] }) => piece?.text) ?? []
        expect(lines.length).toBeGreaterThan(5)
        expect(sent?.text.startsWith(lines.join('\n'))).toBe(true)
      }
      actions.chooseRequest(undefined)
      const names = { day: '2026-11-28', hasNames: false }
      await eventually(() => expect(reportFactsOf(get(), names)).toBeDefined())
      const facts = reportFactsOf(get(), names)
      const { measure, view } = triedMechanismOf(get()) ?? {}
      expect(facts?.replayed.after.tokens).toBe(measure?.tokens)
      expect(facts?.replayed.after.costs.cached).toBe(measure?.cost)
      expect(facts?.losses?.lostUses).toBe(measure?.lostUses)
      expect(facts?.tried?.label).toBe(mechanism.label)
      expect(facts?.nextRequest.after).toBe(view?.nextTokens)
    }
  },
)

const anyMechanism = fc.record({
  id: fc.constantFrom('truncate', 'swe-agent-last-n', 'schema1'),
  settings: fc.record({ n: fc.nat({ max: 9 }) }),
})
type Actions = Awaited<ReturnType<typeof opened>>['actions']
const anyAction: fc.Arbitrary<(actions: Actions) => void> = fc.oneof(
  fc.option(anyMechanism, { nil: undefined }).map((one) => (actions: Actions) => {
    actions.tryMechanism(one)
  }),
  fc.nat({ max: 9 }).map((windowTurns) => (actions: Actions) => {
    actions.changePolicy({ windowTurns })
  }),
)

test('undo goes back through mechanisms and policies, and redo forward', () => {
  forAll(60, [fc.array(anyAction, { maxLength: 12 })], (all) => {
    const { store, actions } = createPlayground(spawnInline)
    const setOf = ({ policy, mechanism }: PlaygroundState) => ({ policy, mechanism })
    const states = [setOf(store.getState())]
    for (const act of all) {
      const { past } = store.getState().history
      act(actions)
      if (store.getState().history.past !== past) states.push(setOf(store.getState()))
    }
    expect(setOf(store.getState())).toEqual(states.at(-1))
    for (const expected of states.toReversed().slice(1)) {
      actions.undo()
      expect(setOf(store.getState())).toEqual(expected)
    }
    for (const expected of states.slice(1)) {
      actions.redo()
      expect(setOf(store.getState())).toEqual(expected)
    }
  })
})

test('a mechanism that this version does not know is named, and the policy is shown', async () => {
  const { store } = await opened(
    TEXT,
    spawnInline,
    'v=2&w=4&h=%7B%22id%22%3A%22new%22%2C%22settings%22%3A%7B%7D%7D',
  )
  await eventually(() => expect(store.getState().mechanism).toBeUndefined())
  const { notices, policy } = store.getState()
  expect(notices).toMatchObject([{ code: 'mechanism_unknown', values: { id: 'new' } }])
  expect(policy.windowTurns).toBe(4)
  await eventually(() => expect(figuresOf(store.getState())).toBeDefined())
})
