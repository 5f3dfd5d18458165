/**
 * What providers of chat completions check before any model sees a request. `all`: whoever takes such requests refuses
 * it. `some`: one at least does, and others take it.
 */
import { isJsonObject } from '../conversation/chat-message'

export const REQUEST_RULES = {
  no_model: 'all',
  no_messages: 'all',
  no_message: 'all',
  unknown_role: 'all',
  content_type: 'all',
  nothing_said: 'all',
  call_shape: 'all',
  call_name: 'all',
  repeated_id: 'all',
  unanswered_call: 'all',
  stray_result: 'all',
  empty_tools: 'some',
  choice_without_tools: 'some',
  name_characters: 'some',
  broken_arguments: 'some',
} as const

export type RequestRule = keyof typeof REQUEST_RULES

export interface Complaint {
  readonly rule: RequestRule
  /** Index of the message; undefined when it is about the whole request. */
  readonly message: number | undefined
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])
const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Every rule a request breaks, in the order of its messages; none when providers take it. */
export function checkRequest(request: unknown): Complaint[] {
  const complaints: Complaint[] = []
  const complain = (rule: RequestRule, message?: number) => complaints.push({ rule, message })
  const body = isJsonObject(request) ? request : {}
  if (typeof body.model !== 'string' || body.model === '') complain('no_model')
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0
  if (Array.isArray(body.tools) && !hasTools) complain('empty_tools')
  if (body.tool_choice !== undefined && !hasTools) complain('choice_without_tools')
  const messages = Array.isArray(body.messages) ? (body.messages as unknown[]) : []
  if (messages.length === 0) complain('no_messages')

  const known = new Set<string>()
  let open = new Set<string>()
  let asking = 0
  for (const [at, message] of messages.entries()) {
    if (!isJsonObject(message)) {
      complain('no_message', at)
      continue
    }
    const { role, content, tool_calls: calls, tool_call_id: answered } = message
    if (typeof role !== 'string' || !ROLES.has(role)) complain('unknown_role', at)
    if (role === 'tool') {
      if (typeof answered !== 'string' || !open.delete(answered)) complain('stray_result', at)
    } else {
      if (open.size > 0) complain('unanswered_call', asking)
      open = new Set()
    }
    const isAsking = role === 'assistant' && calls !== undefined
    const isSilent = content === null || content === undefined
    if (role === 'assistant' && isSilent && !isAsking) complain('nothing_said', at)
    else if (!(role === 'assistant' && isSilent) && !isContent(content, role)) {
      complain('content_type', at)
    }
    if (!isAsking) continue
    asking = at
    if (!Array.isArray(calls) || calls.length === 0) complain('call_shape', at)
    for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) {
      for (const rule of rulesBrokenBy(call)) complain(rule, at)
      const id = isJsonObject(call) ? call.id : undefined
      if (typeof id !== 'string') continue
      if (known.has(id)) complain('repeated_id', at)
      known.add(id)
      open.add(id)
    }
  }
  if (open.size > 0) complain('unanswered_call', asking)
  return complaints
}

function rulesBrokenBy(call: unknown): RequestRule[] {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return ['call_shape']
  const { name, arguments: written } = call.function
  const hasShape = call.type === 'function' && typeof call.id === 'string' && call.id !== ''
  if (!hasShape || typeof written !== 'string') return ['call_shape']
  const isNamed = typeof name === 'string' && name !== ''
  return [
    ...(isNamed ? [] : (['call_name'] as const)),
    ...(isNamed && !PLAIN_NAME.test(name) ? (['name_characters'] as const) : []),
    ...(isObjectText(written) ? [] : (['broken_arguments'] as const)),
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

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}
