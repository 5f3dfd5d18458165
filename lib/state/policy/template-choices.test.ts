import { expect, test } from 'vitest'
import { TEMPLATES } from '@/lib/core/policy/placeholder'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import { conversationOf, turnOf } from '@/lib/core/testing/conversation-of'
import { messageTokensOf, resultTokensOf } from '../document/message-facts'
import { resultRowsOf } from '../document/result-table'
import { openedMessages } from '../testing/three-turns'
import { checkChoices, choiceTotals, maskedResultsOf, templateChoices } from './policy-facts'
import { placeholderTokensOf } from './policy-view'

const LONG = 'a line of output\n'.repeat(20)
const MESSAGES = [
  ...turnOf('call_1', LONG, 'read'),
  ...turnOf('call_2', 'ok', 'search'),
  ...turnOf('call_3', LONG, 'read'),
]

test('a template of the user comes first among those on offer', () => {
  const own = templateChoices('<masked>').map(({ template }) => template)
  expect(own[0]).toBe('<masked>')
  expect(own.slice(1)).toEqual(
    templateChoices(TEMPLATES.english.short).map(({ template }) => template),
  )
})

test('all views and the comparison of templates give a result the same tokens', async () => {
  const { store, run } = await openedMessages(MESSAGES)
  const state = store.getState()
  const choices = templateChoices(state.policy.placeholderTemplate)
  const checks = await checkChoices(state, choices, run)
  const inUse = choices.findIndex(({ template }) => template === state.policy.placeholderTemplate)
  expect(checks?.[inUse]?.tokens).toEqual(placeholderTokensOf(state)?.[0])

  const { results } = conversationOf(MESSAGES)
  const tokens = messageTokensOf(state)
  for (const [at, { message }] of results.entries()) {
    const one = resultTokensOf(state, 0, at)
    expect(one?.isEstimated).toBe(false)
    expect(resultRowsOf(state)?.[at]?.tokens).toEqual(one)
    expect([tokens?.before[message], tokens?.after[message]]).toEqual([one?.before, one?.after])
  }
})

test('the totals are over the masked results; over all of them while none is masked', async () => {
  const { store, actions, run } = await openedMessages(MESSAGES)
  const choices = templateChoices(store.getState().policy.placeholderTemplate)
  const [check] = (await checkChoices(store.getState(), choices, run)) as [TemplateCheck]
  expect(maskedResultsOf(store.getState())).toEqual([0, 1])
  expect(choiceTotals(store.getState(), check)).toMatchObject({ masked: 2, grown: 1 })
  actions.changePolicy({ enabled: false })
  expect(maskedResultsOf(store.getState())).toEqual([0, 1, 2])
  expect(choiceTotals(store.getState(), check)).toMatchObject({ masked: 3, grown: 1 })
})
