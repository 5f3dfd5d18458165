/**
 * Rules that providers of chat completions check before a model sees the request. `all`: every provider rejects a
 * request that breaks the rule. `some`: at least one provider does.
 */

import { checkLinks, type LinkedIds, type LinkRule } from '../integrity/check-history'
import { isJsonObject, itemsOf, membersOf, parseJson } from '../text/json'
import REQUEST_RULES from './request-rules.json' with { type: 'json' }

export { REQUEST_RULES }

export type RequestRule = keyof typeof REQUEST_RULES

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])
const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Returns each rule the request breaks, in message order; empty if every provider accepts it. A problem without a message
 * concerns the entire request.
 */
export function checkRequest(request: unknown) {
  const problems: { readonly rule: RequestRule; readonly message: number | undefined }[] = []
  const report = (rule: RequestRule, message?: number) => problems.push({ rule, message })
  const body = membersOf(request)
  if (typeof body.model !== 'string' || body.model === '') report('no_model')
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0
  if (Array.isArray(body.tools) && !hasTools) report('empty_tools')
  if (body.tool_choice !== undefined && !hasTools) report('choice_without_tools')
  const messages = itemsOf(body.messages)
  if (messages.length === 0) report('no_messages')

  for (const [at, message] of messages.entries()) {
    if (!isJsonObject(message)) {
      report('no_message', at)
      continue
    }
    const { role, content, tool_calls: calls } = message
    if (typeof role !== 'string' || !ROLES.has(role)) report('unknown_role', at)
    const hasCalls = role === 'assistant' && calls !== undefined
    const isEmpty = content === null || content === undefined
    if (role === 'assistant' && isEmpty && !hasCalls) report('nothing_said', at)
    else if (!(role === 'assistant' && isEmpty) && !isContent(content, role)) {
      report('content_type', at)
    }
    if (!hasCalls) continue
    if (!Array.isArray(calls) || calls.length === 0) report('call_shape', at)
    for (const call of itemsOf(calls)) {
      for (const rule of rulesBrokenBy(call)) report(rule, at)
    }
  }
  const asking = new Set<number>()
  for (const { rule: linkRule, message } of checkLinks(messages.map(idsOf))) {
    const rule = RULE_OF_LINK[linkRule]
    // A message is reported once, however many of its calls have no result.
    if (rule === undefined || (rule === 'unanswered_call' && asking.has(message))) continue
    if (rule === 'unanswered_call') asking.add(message)
    report(rule, message)
  }
  return problems.sort((a, b) => (a.message ?? -1) - (b.message ?? -1))
}

/** The shape of a call is checked apart, and with it its id. */
const RULE_OF_LINK: Readonly<Record<LinkRule, RequestRule | undefined>> = {
  empty_call_id: undefined,
  repeated_id: 'repeated_id',
  unanswered_call: 'unanswered_call',
  mid_turn: 'unanswered_call',
  empty_result_id: 'stray_result',
  orphan: 'stray_result',
  two_results: 'stray_result',
  not_behind: 'stray_result',
}

function idsOf(message: unknown): LinkedIds {
  const { role, tool_calls: calls, tool_call_id: answered } = membersOf(message)
  const made = role === 'assistant' ? itemsOf(calls) : []
  return {
    calls: made.map((call) => textOf(membersOf(call).id)),
    results: role === 'tool' ? [textOf(answered)] : [],
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function rulesBrokenBy(call: unknown): RequestRule[] {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return ['call_shape']
  const { name, arguments: text } = call.function
  const hasShape = call.type === 'function' && typeof call.id === 'string' && call.id !== ''
  if (!hasShape || typeof text !== 'string') return ['call_shape']
  const isNamed = typeof name === 'string' && name !== ''
  return [
    ...(isNamed ? [] : (['call_name'] as const)),
    ...(isNamed && !PLAIN_NAME.test(name) ? (['name_characters'] as const) : []),
    ...(isJsonObject(parseJson(text)) ? [] : (['broken_arguments'] as const)),
  ]
}

function isContent(content: unknown, role: unknown): boolean {
  if (typeof content === 'string') return true
  if (!Array.isArray(content) || content.length === 0) return false
  return content.every((part) => {
    if (!isJsonObject(part)) return false
    if (part.type === 'text') return typeof part.text === 'string'
    return role === 'user' && typeof part.type === 'string'
  })
}
