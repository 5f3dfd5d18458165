import { derivedHex, derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedCall, RecordedSession } from './recorded-session'

const MODEL = 'gpt-5'

/** A trajectory exported by OpenHands 0.x: a list of events, each action before its observation. */
export const openhandsTrajectory: FormatWriter = {
  format: 'openhands',
  file: 'trajectory.json',
  write: (session) => written(trajectoryOf(session)),
}

/** A conversation's events from the SDK's agent server. */
export const openhandsEvents: FormatWriter = {
  format: 'openhands',
  file: 'sdk-events.json',
  write: (session) => written({ items: sdkEventsOf(session), next_page_id: null }),
}

/** OpenHands' log of the last request of a session and its answer. */
export const openhandsCompletion: FormatWriter = {
  format: 'openhands',
  file: 'completion.json',
  write: ({ system, messages, startedAt }) => {
    const list = messages.map((message) => {
      if (message.role === 'user') return { content: [text(message.text)], role: 'user' }
      if (message.role === 'tool') {
        const { parts, callId, toolName } = message.result
        const content = [text(parts.join('\n'))]
        return { content, role: 'tool', tool_call_id: callId, name: toolName }
      }
      const calls = message.calls.map(functionCall)
      const content = [text(message.text)]
      return { content, role: 'assistant', ...(calls.length > 0 && { tool_calls: calls }) }
    })
    const answer = messages.at(-1)
    return written({
      messages: [{ content: [text(system)], role: 'system' }, ...list.slice(0, -1)],
      response: responseOf('completion', answer?.role === 'assistant' ? answer.text : '', []),
      args: [],
      kwargs: { temperature: 0 },
      timestamp: startedAt / 1000,
      cost: 0.021,
    })
  },
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function text(content: string): object {
  return { type: 'text', text: content }
}

function functionCall({ id, name, arguments: values }: RecordedCall): object {
  return { function: { arguments: JSON.stringify(values), name }, id, type: 'function' }
}

function responseOf(name: string, content: string, calls: readonly RecordedCall[]): object {
  return {
    id: `chatcmpl-${derivedUuid(`openhands ${name}`)}`,
    model: MODEL,
    object: 'chat.completion',
    choices: [
      {
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        index: 0,
        message: {
          content,
          role: 'assistant',
          tool_calls: calls.length > 0 ? calls.map(functionCall) : null,
        },
      },
    ],
  }
}

/** OpenHands' names for the actions of its tools. */
function actionOf(name: string): string {
  if (name === 'read_file' || name === 'list_files') return 'read'
  return name === 'run_command' ? 'run' : 'edit'
}

function trajectoryOf({ system, messages, startedAt }: RecordedSession): object[] {
  const events: object[] = []
  const add = (source: string, fields: object): number => {
    const id = events.length
    const timestamp = new Date(startedAt + id * 1000).toISOString().slice(0, -1)
    events.push({ id, timestamp, source, ...fields })
    return id
  }
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.result.callId, message.result] as const] : [],
    ),
  )
  const state = (agentState: string) =>
    add('environment', {
      message: '',
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state: agentState },
    })
  add('agent', { message: '', action: 'system', args: { content: system, tools: null } })
  state('running')
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    if (message.role === 'user' || message.calls.length === 0) {
      const source = message.role === 'user' ? 'user' : 'agent'
      const args = {
        content: message.text,
        image_urls: null,
        wait_for_response: source === 'agent',
      }
      add(source, { message: message.text, action: 'message', args })
      continue
    }
    const response = responseOf(String(index), message.text, message.calls)
    for (const [at, call] of message.calls.entries()) {
      const metadata = {
        function_name: call.name,
        tool_call_id: call.id,
        model_response: response,
        total_calls_in_response: message.calls.length,
      }
      const action = actionOf(call.name)
      const cause = add('agent', {
        message: '',
        action,
        tool_call_metadata: metadata,
        args: { ...call.arguments, thought: at === 0 ? message.text : '' },
      })
      const result = results.get(call.id)
      if (result === undefined) continue
      add('agent', {
        message: `${action} finished.`,
        cause,
        observation: action,
        tool_call_metadata: metadata,
        content: result.parts.join('\n'),
        extras: { ...call.arguments, metadata: { exit_code: result.isError ? 1 : 0, pid: -1 } },
        ...(action === 'run' && { success: !result.isError }),
      })
    }
  }
  state('awaiting_user_input')
  return events
}

function sdkEventsOf({ system, messages, startedAt }: RecordedSession): object[] {
  const events: object[] = []
  const actionIds = new Map<string, string>()
  const add = (source: string, kind: string, fields: object): string => {
    const id = derivedUuid(`openhands event ${events.length}`)
    const timestamp = new Date(startedAt + events.length * 1000).toISOString().slice(0, -1)
    events.push({ id, timestamp, source, ...fields, kind })
    return id
  }
  const part = (content: string) => ({ cache_prompt: false, type: 'text', text: content })
  add('agent', 'SystemPromptEvent', { system_prompt: part(system), tools: [] })
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const { parts, callId, toolName, isError } = message.result
      add('environment', 'ObservationEvent', {
        tool_name: toolName,
        tool_call_id: callId,
        observation: {
          content: parts.map(part),
          is_error: isError,
          kind: toolName === 'run_command' ? 'TerminalObservation' : 'FileEditorObservation',
        },
        action_id: actionIds.get(callId),
        extended_content: [],
      })
      continue
    }
    const answerId = `resp-${derivedHex(`openhands answer ${index}`, 24)}`
    if (message.role === 'user' || message.calls.length === 0) {
      const isUser = message.role === 'user'
      add(isUser ? 'user' : 'agent', 'MessageEvent', {
        llm_message: { role: isUser ? 'user' : 'assistant', content: [part(message.text)] },
        ...(!isUser && { llm_response_id: answerId }),
        activated_skills: [],
        extended_content: [],
      })
      continue
    }
    for (const [at, call] of message.calls.entries()) {
      const id = add('agent', 'ActionEvent', {
        thought: at === 0 ? [part(message.text)] : [],
        thinking_blocks: [],
        action: { ...call.arguments, kind: 'MCPToolAction' },
        tool_name: call.name,
        tool_call_id: call.id,
        tool_call: {
          id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
          origin: 'completion',
        },
        llm_response_id: answerId,
        security_risk: 'UNKNOWN',
      })
      actionIds.set(call.id, id)
    }
  }
  return events
}
