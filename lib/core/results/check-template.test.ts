import { expect, test } from 'vitest'
import { decide } from '../policy/decide'
import { TEMPLATE_KINDS, TEMPLATE_LANGUAGES, TEMPLATES } from '../policy/placeholder'
import { DEFAULT_PLACEHOLDER, DEFAULT_POLICY } from '../policy/policy'
import { anyMessages, type JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { anyTemplate } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { checkTemplateInSteps, type TemplateCheck, templateTotals } from './check-template'

function check(messages: readonly JsonValue[], template: string): TemplateCheck {
  const steps = checkTemplateInSteps(conversationOf(messages), template, (text) => text.length)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const MESSAGES = [
  ...turnOf('call_1', 'first line\nsecond line', 'read', '{"path":"a.ts"}'),
  ...turnOf('call_2', 'ok', 'read', '{"path":"b.ts"}'),
  ...turnOf('call_3', 'x'.repeat(500), 'search', '{"for":"x"}'),
  { role: 'tool', tool_call_id: 'nobody', content: 'answers no call' },
]

const SOUND = { results: 3, unnamed: 0, changing: 0, unrecognised: 0, mistaken: 0 }

test('every template on offer names its call, stays the same and is recognised', () => {
  for (const language of TEMPLATE_LANGUAGES) {
    for (const kind of TEMPLATE_KINDS) {
      expect(check(MESSAGES, TEMPLATES[language][kind])).toMatchObject(SOUND)
    }
  }
  expect(TEMPLATES.french.full).toBe(DEFAULT_PLACEHOLDER)
})

test('the tokens are those of each placeholder; a result that is never masked has none', () => {
  expect(check(MESSAGES, '[{tool_name}: {first_line}]').tokens).toEqual([
    '[read: first line]'.length,
    '[read: ok]'.length,
    `[search: ${'x'.repeat(80)}]`.length,
    undefined,
  ])
})

test('a fixed text names no call; the name of a tool names one only if it is called once', () => {
  expect(check(MESSAGES, '<MASKED>').unnamed).toBe(3)
  expect(check(MESSAGES, '[old {tool_name}]').unnamed).toBe(2)
  // Different numbers, but nothing that tells the call.
  expect(check(MESSAGES, '[{original_chars} characters]').unnamed).toBe(3)
})

test('results without ids are told apart by their calls', () => {
  const messages = ['a', 'b'].flatMap((path) => [
    { role: 'assistant', function_call: { name: 'read', arguments: path } },
    { role: 'function', name: 'read', content: path.repeat(90) },
  ])
  expect(check(messages, TEMPLATES.english.arguments)).toMatchObject({ ...SOUND, results: 2 })
  expect(check(messages, '[{tool_call_id}]').unnamed).toBe(2)
})

test('equal arguments of two calls are the same placeholder', () => {
  const again = [...MESSAGES, ...turnOf('call_4', 'ok again', 'read', '{"path":"b.ts"}')]
  expect(check(again, TEMPLATES.english.arguments).unnamed).toBe(2)
  expect(check(again, TEMPLATES.english.short).unnamed).toBe(0)
})

test('a result without an id is named by its tool, and told from the others by its call', () => {
  const called = (name: string): JsonValue[] => [
    { role: 'assistant', content: null, tool_calls: [{ function: { name, arguments: '{}' } }] },
    { role: 'tool', name, content: 'what it gave' },
  ]
  const messages = [...called('read'), ...called('search'), ...called('search')]
  expect(check(messages, '[old {tool_name}]')).toMatchObject({ results: 3, unnamed: 2 })
})

test('a placeholder changes when a later call reuses the id', () => {
  const reused = [...MESSAGES, ...turnOf('call_1', 'new', 'search', '{}')]
  expect(check(reused, TEMPLATES.english.short).changing).toBe(1)
  expect(check(reused, '[masked {tool_call_id}]').changing).toBe(0)
})

test('a result that looks like a placeholder is never masked, and is counted', () => {
  const numbers = [...turnOf('call_1', '1234', 'count'), ...MESSAGES.slice(2)]
  expect(check(numbers, '{original_chars}').mistaken).toBe(1)
  expect(check(MESSAGES, '{first_line}').mistaken).toBe(1)
})

test('the counts agree with what a policy decides, for all templates', () => {
  const policy = { ...DEFAULT_POLICY, enabled: true, keepErrors: false, textParts: true }
  forAll(100, [anyMessages, anyTemplate], (messages, template) => {
    const all = [...messages, ...turnOf('z', 'last')]
    const conversation = conversationOf(all)
    const found = check(all, template)
    const textOf = (index: number) => conversation.resultTexts[index]?.join('') ?? ''
    // A window past the end: every result is older than it.
    const decisions = decide(
      { ...conversation, turnCount: conversation.turnCount + policy.windowTurns },
      { ...policy, placeholderTemplate: template },
      { textOf, tokensOf: (index) => textOf(index).length },
    )
    const of = (reason: string) => decisions.filter((one) => one.reason === reason).length
    expect(found.mistaken).toBe(of('already_masked'))
    expect(found.results).toBe(of('already_masked') + of('masked'))
    expect(found.unrecognised).toBe(0)
    for (const [index, { placeholder }] of decisions.entries()) {
      if (placeholder !== undefined && !template.includes('{original_tokens}'))
        expect(found.tokens[index]).toBe(placeholder.length)
    }
  })
})

test('the totals count the placeholders that are longer than their result', () => {
  const found = check(MESSAGES, '[masked {tool_call_id}]')
  const totals = { masked: 2, least: 15, most: 15, all: 30, grown: 1, lost: 13 }
  expect(templateTotals(found, [22, 2, 500, 15], (result) => result !== 2)).toEqual(totals)
  expect(templateTotals(found, [], () => false)).toMatchObject({ masked: 0, least: 0, all: 0 })
})
