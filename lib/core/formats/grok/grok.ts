/**
 * Two programs with Grok's name.
 *
 * Sessions of Grok Build, `~/.grok/sessions/…/chat_history.jsonl`, the messages as they are sent; a compaction rewrites the
 * file: https://github.com/xai-org/grok-build/blob/main/crates/codegen/xai-grok-sampling-types/src/conversation.rs
 * A turn is a line `assistant` with `tool_calls`; `reasoning` lines before it are pieces of it. A result is the text of a
 * `tool_result`, whose images stay. A `backend_tool_call` ran at the provider: it counts as a part that is not text.
 *
 * The output of the Grok CLI of Superagent, `--format json`:
 * https://github.com/superagent-ai/grok-cli/blob/main/src/headless/output.ts
 * The lines of a step are one answer; it has neither the user's messages nor a system prompt. A call and its result are one
 * line: `output`, or `error`, of its `toolResult`. Usage is that of `step_finish`; its `costUsdTicks` has no documented unit.
 * The sessions of this CLI are a database, whose messages are those of the AI SDK.
 *
 * Duplicates: what the other members of a `toolResult` repeat of it. Grok Build states neither times nor usage here. Ignored: all other lines.
 */
import { callName, readCall } from '../../conversation/chat-message'
import { isJsonObject, itemsOf, membersOf } from '../../text/json'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { expectKind } from '../reading/report'
import { sessionLines } from '../reading/session-lines'

const BUILD_TYPES: readonly unknown[] = [
  ...['system', 'user', 'assistant', 'tool_result', 'reasoning', 'backend_tool_call'],
]

export const grokBuild = sessionLines({
  id: 'grok-build',
  label: 'Grok Build session',
  expects: 'lines of type "user", "assistant" and "tool_result" with a "content" each',
  isLine: ({ type, message, role }) =>
    BUILD_TYPES.includes(type) && message === undefined && role === undefined,
  isMarked: ({ type, content, model_id, tool_call_id }) =>
    content !== undefined &&
    ((type === 'assistant' && typeof model_id === 'string') ||
      (type === 'tool_result' && typeof tool_call_id === 'string')),
  marks: ['tool_calls', 'tool_call_id', 'model_id', 'synthetic_reason'],
  startReading: () => (line, reportAt, facts) => {
    const { type, tool_call_id: callId, content } = line
    const body = new MessageBody(reportAt([]))
    if (type === 'reasoning') {
      for (const key of ['summary', 'content'])
        for (const [at, part] of itemsOf(line[key]).entries())
          body.reasoning.push(...memberText(part, 'text', [key, at]))
      return [{ raw: rawMessage('assistant', body), isContinued: true }]
    }
    if (type === 'backend_tool_call') {
      body.nonTextParts++
      return [{ raw: rawMessage('assistant', body), isContinued: true }]
    }
    expectKind(reportAt([]), line, 'content', ['text', 'list'], 'text_or_list_of_parts')
    const { texts, others } = textsOfContent(content, ['content'])
    if (type === 'tool_result') {
      body.requireId(callId, ['tool_call_id'], 'id_of_a_call')
      const images = itemsOf(line.images).length
      body.addPartsResult(callId, { texts, others: others + images }, false)
      return [{ raw: rawMessage('tool', body) }]
    }
    body.contents.push(...texts)
    body.nonTextParts += others
    if (type !== 'assistant') return [{ raw: rawMessage(type as string, body) }]
    facts.model ??= line.model_id
    expectKind(reportAt([]), line, 'tool_calls', ['list', 'absent'], 'list_of_calls')
    body.eachObject(line.tool_calls, ['tool_calls'], 'call_with_id', (call, path) =>
      body.addCall(call, path, ['id', 'name', 'arguments']),
    )
    return [{ raw: rawMessage('assistant', body), isContinued: true }]
  },
})

const CLI_TYPES: readonly unknown[] = ['step_start', 'text', 'tool_use', 'step_finish', 'error']

export const grokCli = sessionLines({
  id: 'grok-cli',
  label: 'Grok CLI output',
  expects: 'lines of type "tool_use" with a "toolCall" and a "toolResult"',
  isLine: ({ type }) => CLI_TYPES.includes(type),
  isMarked: ({ toolCall, toolResult }) => isJsonObject(toolCall) && isJsonObject(toolResult),
  marks: ['toolCall', 'toolResult', 'stepNumber'],
  startReading: () => (line, reportAt) => {
    const { type, toolCall, toolResult, stepNumber, usage } = line
    const report = reportAt([])
    const body = new MessageBody(report)
    const piece = { raw: rawMessage('assistant', body), answer: stepNumber ?? null }
    if (type === 'step_finish')
      return [{ ...piece, raw: { ...piece.raw, usage: readUsage(usage, 'aiSdk') } }]
    if (type === 'text') body.addText(line, [])
    if (type !== 'tool_use') return type === 'text' ? [piece] : []
    if (!isJsonObject(toolCall)) report(['toolCall'], toolCall, 'call_with_id_and_function')
    else {
      body.requireId(toolCall.id, ['toolCall', 'id'], 'id')
      if (callName(toolCall) === undefined) report(['toolCall'], toolCall, 'call_with_name')
      body.calls.push(readCall(toolCall, ['toolCall']))
    }
    const result = new MessageBody(report)
    const { success, output, error } = membersOf(toolResult)
    const key = output === undefined && error !== undefined ? 'error' : 'output'
    const { id } = membersOf(toolCall)
    const hasFailed = success === false
    result.addTextResult(id, membersOf(toolResult)[key], ['toolResult', key], hasFailed)
    return [piece, { raw: rawMessage('tool', result) }]
  },
})
