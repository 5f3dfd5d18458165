import { expect, test } from 'vitest'
import { decide, errorMarksOf } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { ERROR_MARKS, ruleEffects, withMark } from './rule-effects'

const TEXTS = ['timeout: 30', 'Timeout, exception', 'exit code 1', 'permission denied', 'fine', '']
const conversation = conversationOf(TEXTS.flatMap((text, at) => turnOf(`call_${at}`, text)))
const textOf = (index: number) => conversation.resultTexts[index]?.join('') ?? ''
const decideWith = (policy: MaskPolicy) => decide(conversation, policy, { textOf })

function effectsOf(changed: Partial<MaskPolicy>) {
  const policy: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, ...changed }
  const errorRules = ERROR_MARKS.filter((mark) => mark !== 'pattern')
  const all = { errorRules, errorPatterns: policy.errorPatterns }
  const marks = conversation.results.map((one, at) => errorMarksOf(one, all, () => textOf(at)))
  const decisions = decideWith(policy)
  return ruleEffects(policy, { marks, decisions, decideWith, savingOf: () => 10 })
}

const on = (mark: string, matches: number, changed: readonly number[]) => {
  return { mark, isOn: true, matches, changed, tokens: changed.length * 10 }
}

test('a rule has the results that it alone keeps; an optional one those that it would keep', () => {
  const effects = effectsOf({ errorRules: ['exception', 'timeout'] })
  expect(effects).toEqual([
    on('exception', 1, []),
    on('timeout', 2, [0]),
    { mark: 'exit_code', isOn: false, matches: 1, changed: [2], tokens: 10 },
  ])
})

test("the user's own texts are one mark, which can be removed", () => {
  const effects = effectsOf({ errorRules: [], errorPatterns: ['Permission', 'fine'] })
  expect(effects.at(-1)).toEqual(on('pattern', 2, [3, 4]))
  expect(withMark(DEFAULT_POLICY, 'pattern', true)).toEqual(DEFAULT_POLICY)
})

test('nothing changes where errors are not kept, and tokens are unknown until counted', () => {
  const effects = effectsOf({ keepErrors: false, errorRules: ['timeout'] })
  expect(effects).toContainEqual(on('timeout', 2, []))
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const marks = [['timeout']] as const
  const sources = { marks, decisions: decideWith(policy), savingOf: () => undefined }
  const [timeout] = ruleEffects(policy, { ...sources, decideWith })
  expect(timeout).toMatchObject({ mark: 'timeout', changed: [0], tokens: undefined })
  const [unknown] = ruleEffects(policy, { ...sources, decideWith: () => undefined })
  expect(unknown).toMatchObject({ changed: [], tokens: 0 })
})
