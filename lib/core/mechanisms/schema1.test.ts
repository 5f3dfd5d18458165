import { expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { losableUsesOf } from '../fleet/measure-sessions'
import { readDocument } from '../formats/read-document'
import { policyOfSettings, settingsOfPolicy } from '../policy/policy'
import { policyOfModel } from '../replay/cache-rules'
import { decideRequest } from '../replay/decide-request'
import { prepareReplay } from '../replay/prepare-replay'
import { replayPrepared } from '../replay/replay'
import { anyPolicy } from '../testing/policies'
import { ANY_REPLAY, sourcesOf } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { lostUsesAt } from '../uses/lost-uses'
import { positionsOfResults } from './history'
import { mechanismSteps } from './run-mechanism'
import { schema1 } from './schema1'
import { historyOf, measureMechanism } from './testing/test-history'

test('Schema 1 as a mechanism masks in each request what the policy decides by what was known then', () => {
  forAll(100, ANY_REPLAY, (messages, policy, _rule, _prices) => {
    const history = historyOf(messages)
    const own = policyOfModel({ ...policy, enabled: true }, history.session.conversation.model)
    const [conversation] = readDocument(JSON.stringify(messages)).conversations
    const sources = sourcesOf(conversation as ReadConversation)
    const positions = positionsOfResults(history)
    for (const [request, { edits }] of [
      ...mechanismSteps(history, schema1, settingsOfPolicy(policy)),
    ].entries()) {
      const decided = decideRequest(history.session, request, own, sources)
      const masked = decided.flatMap(({ placeholder: content }, result) =>
        content === undefined ? [] : [[positions[result], { content }] as const],
      )
      expect(new Map(edits)).toEqual(new Map(masked))
    }
  })
})

test('Schema 1 as a mechanism has the figures of its own replay', () => {
  forAll(100, ANY_REPLAY, (messages, policy, rule, prices) => {
    const history = historyOf(messages)
    const { session, uses } = history
    const [conversation] = readDocument(JSON.stringify(messages)).conversations
    const own = policyOfModel({ ...policy, enabled: true }, session.conversation.model)
    const prepared = prepareReplay(session, own, sourcesOf(conversation as ReadConversation))
    const terms = { prices, rule }
    const { after, requests } = replayPrepared(prepared, own, terms)
    const measured = measureMechanism(history, schema1, settingsOfPolicy(policy), terms)
    expect(measured.tokens).toBe(after.tokens)
    expect(measured.cost).toBe(after.costs.cached)
    expect(measured.peakTokens).toBe(Math.max(...requests.map((one) => one.after.tokens)))
    const ends = [0, ...history.session.requests.map(({ end }) => end)]
    const changed = requests.filter(
      ({ firstChanged }, at) => (firstChanged ?? Infinity) < (ends[at] as number),
    )
    expect(measured.rewrites).toBe(changed.length)
    const lost = lostUsesAt(losableUsesOf(session, uses, prepared, own), own, prepared)
    expect(measured.lostUses).toBe(lost.length)
  })
})

test('the settings of a policy give the policy back', () => {
  forAll(50, [anyPolicy], (policy) => {
    expect(policyOfSettings(settingsOfPolicy(policy))).toEqual({ ...policy, enabled: true })
  })
})
