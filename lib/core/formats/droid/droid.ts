/**
 * Sessions of Factory Droid, `~/.factory/sessions/…/*.jsonl`, and the output of `droid exec --output-format stream-json`:
 * https://docs.factory.ai/cli/droid-exec/overview
 * The files are not documented; their shape is that of published ones:
 * https://github.com/jazzyalex/agent-sessions/tree/main/Resources/Fixtures/stage0/agents/droid
 * A session has messages of Anthropic Messages in lines of type `message`, in a tree by `parentId`; a `compaction_state`
 * starts a conversation with its summary. The messages that it keeps are in the file once, before it.
 * In the output, `tool_call` lines and the text before them are one answer. A result is the `value` of a `tool_result`, a
 * text or an object. Results without an id answer the first open call of their tool.
 * Usage is that of the `completion`, a sum. Its `finalText` is read where no message has it. The settings beside a session
 * file have its model and usage. Ignored: all other lines. There are no duplicates.
 */

import { isJsonObject, membersOf } from '../../text/json'
import { isToolType, readAnthropicMessage } from '../anthropic/anthropic-message'
import { createCallIds } from '../reading/create-call-ids'
import { blocksOf } from '../reading/lists'
import { MessageBody, memberText, rawMessage, structuredResult } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { sessionLines } from '../reading/session-lines'

const COMPACTION = 'compaction_state'

export const droid = sessionLines({
  id: 'droid',
  label: 'Factory Droid session',
  expects:
    'lines of type "message" after a line of type "session_start", or lines of type "tool_call" and "tool_result" with a "toolName"',
  isLine: ({ type }) => typeof type === 'string',
  isMarked: ({ type, message, toolName, cwd }) =>
    (type === 'session_start' && typeof cwd === 'string') ||
    (type === 'tool_call' && typeof toolName === 'string') ||
    (type === 'message' && blocksOf(message).some((block) => isToolType(membersOf(block).type))),
  marks: ['parentId', 'tool_use_id', 'toolName', 'finalText'],
  isCompaction: ({ type }, isBranch) => type === COMPACTION && !isBranch,
  startReading: () => {
    const ids = createCallIds()
    let lastText: unknown
    return (line, reportAt, facts) => {
      const { type, message, role, toolId, toolName, value, isError } = line
      const report = reportAt([])
      const body = new MessageBody(report)
      const callId = line.toolCallId ?? line.id
      if (type === 'system') facts.model ??= line.model
      if (type === COMPACTION) {
        body.contents.push(...memberText(line, 'summaryText'))
        return [{ raw: rawMessage('user', body) }]
      }
      if (type === 'message' && message !== undefined) {
        const { role: speaker, model } = membersOf(message)
        if (isJsonObject(message) && typeof speaker === 'string') {
          facts.model ??= model
          const raw = readAnthropicMessage(message, speaker, reportAt(['message']))
          return [{ raw, path: ['message'] }]
        }
        report(['message'], message, 'message_with_role_and_content')
      } else if (type === 'message') {
        if (typeof role !== 'string') report(['role'], role, 'text')
        body.addText(line, [])
        lastText = line.text
        const isContinued = role === 'assistant'
        return [{ raw: rawMessage(isContinued ? role : 'user', body), isContinued }]
      } else if (type === 'tool_call') {
        if (typeof toolName !== 'string') report(['toolName'], toolName, 'text')
        const call = { ...line, callId: ids.idOfCall(callId, toolId ?? toolName) }
        body.addCall(call, [], ['callId', 'toolName', 'parameters'])
        return [{ raw: rawMessage('assistant', body), isContinued: true }]
      } else if (type === 'tool_result') {
        const id = ids.idOfResponse(callId, toolId ?? toolName)
        body.requireId(id, ['id'], 'id_of_a_call')
        if (isJsonObject(value)) {
          const { texts, frame } = structuredResult(value, ['value'])
          body.contents.push({ text: frame })
          body.addResult(id, texts, isError === true, { valuePath: ['value'] })
        } else body.addTextResult(id, value, ['value'], isError === true)
        return [{ raw: rawMessage('tool', body) }]
      } else if (type === 'completion') {
        facts.usage = readUsage(line.usage, 'anthropic')
        const { finalText } = line
        if (typeof finalText !== 'string' || finalText === lastText) return []
        body.contents.push({ text: finalText, path: [] })
        // The usage of the line is not that of one answer.
        return [{ raw: rawMessage('assistant', body), path: ['finalText'], isContinued: true }]
      }
      return []
    }
  },
})
