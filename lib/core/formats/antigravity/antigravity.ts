/**
 * Transcripts of Google Antigravity, `~/.gemini/antigravity-cli/brain/…/.system_generated/logs/transcript.jsonl`, one step per
 * line. They are not documented; the shape is that of published ones:
 * https://github.com/jazzyalex/agent-sessions/tree/main/Resources/Fixtures/stage0/agents/antigravity
 * A turn is a `PLANNER_RESPONSE` with `tool_calls`. Calls have no ids and receive them, as `list_dir-1`. A result is the
 * `content` of a later step of the model; steps answer the open calls in their order, since their types are not the names
 * of tools. A `CHECKPOINT` starts a conversation with its summary. Other steps with a text are read as sent by the user.
 * Texts that the program shortened in its log (`truncated_fields`) are named. There are no duplicates. Usage is not stated.
 */
import { itemsOf } from '../../text/json'
import { createCallIds } from '../reading/create-call-ids'
import { MessageBody, memberText, rawMessage } from '../reading/raw-message'
import { expectKind } from '../reading/report'
import { sessionLines } from '../reading/session-lines'

export const antigravity = sessionLines({
  id: 'antigravity',
  label: 'Antigravity transcript',
  expects: 'lines with a "step_index" and a "type" such as "USER_INPUT" or "PLANNER_RESPONSE"',
  isLine: ({ step_index, type }) => step_index !== undefined && typeof type === 'string',
  isMarked: ({ type }) => type === 'USER_INPUT' || type === 'PLANNER_RESPONSE',
  marks: ['step_index', 'tool_calls', 'thinking'],
  isCompaction: ({ type }) => type === 'CHECKPOINT',
  startReading: () => {
    const ids = createCallIds()
    let hasShortened = false
    return (step, reportAt, _, noteShortened) => {
      const report = reportAt([])
      const body = new MessageBody(report)
      const { type, source, content } = step
      expectKind(report, step, 'content', ['text', 'absent'], 'text')
      if (itemsOf(step.truncated_fields).length > 0 && !hasShortened) {
        hasShortened = true
        noteShortened(['content'])
      }
      if (type === 'PLANNER_RESPONSE') {
        ids.startTurn()
        body.contents.push(...memberText(step, 'content'))
        body.reasoning.push(...memberText(step, 'thinking'))
        expectKind(report, step, 'tool_calls', ['list', 'absent'], 'list_of_calls')
        body.eachObject(step.tool_calls, ['tool_calls'], 'call_with_name_and_args', (call, path) =>
          body.addCall({ ...call, id: ids.idOfCall(call.id, call.name) }, path, CALL_KEYS),
        )
        return [{ raw: rawMessage('assistant', body) }]
      }
      if (typeof content !== 'string') return []
      if (source === 'MODEL') {
        body.addTextResult(ids.idOfResponse(undefined, undefined), content, ['content'], false)
        return [{ raw: rawMessage('tool', body) }]
      }
      body.contents.push(...memberText(step, 'content'))
      return [{ raw: rawMessage('user', body) }]
    }
  },
})

const CALL_KEYS = ['id', 'name', 'args'] as const
