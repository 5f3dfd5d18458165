import { createHash } from 'node:crypto'
import type { FormatWriter } from './format-writer'
import type {
  RecordedCall,
  RecordedMessage,
  RecordedResult,
  RecordedSession,
} from './recorded-session'
import { itemsOf, type ResponseItem, writeResult } from './write-openai-responses'

const MODEL = 'gpt-5-codex'
const VERSION = '0.98.0'
const WORKSPACE = '/home/user/text-box'
const SESSION_ID = idOf('session')

/** A rollout: every item in its envelope, and the events that report tool output to the terminal. */
export const codexSession: FormatWriter = {
  format: 'codex',
  file: 'rollout.jsonl',
  write: (session: RecordedSession) => {
    const calls = callsOf(session)
    const head = [
      line(session, 0, 'session_meta', {
        id: SESSION_ID,
        timestamp: timestampOf(session, 0),
        cwd: WORKSPACE,
        originator: 'codex_cli_rs',
        cli_version: VERSION,
        source: 'cli',
        model_provider: 'openai',
        base_instructions: { text: session.system },
        git: { branch: 'main' },
      }),
      line(session, 0, 'turn_context', {
        turn_id: idOf('turn'),
        cwd: WORKSPACE,
        approval_policy: 'on-request',
        sandbox_policy: { type: 'workspace-write', network_access: false },
        model: MODEL,
        effort: 'medium',
        summary: 'auto',
      }),
      event(session, 0, {
        type: 'task_started',
        turn_id: idOf('turn'),
        model_context_window: 272000,
      }),
    ]
    const body = session.messages.flatMap((message, index) => {
      const items = itemsOf(message, index, writeResult).map((item) =>
        line(session, index, 'response_item', asPatchTool(item, calls)),
      )
      return [
        ...eventsBefore(session, message, index, calls),
        ...items,
        ...eventsAfter(session, message, index),
      ]
    })
    const end = session.messages.length
    const done = event(session, end, { type: 'task_complete', turn_id: idOf('turn') })
    return writeLines([...head, ...body, done])
  },
}

/** A session of the first versions: a session line without a type, then bare items and state lines. */
export const codexOlderSession: FormatWriter = {
  format: 'codex',
  file: 'older-rollout.jsonl',
  write: (session: RecordedSession) => {
    const head = {
      id: SESSION_ID,
      timestamp: timestampOf(session, 0),
      instructions: session.system,
      git: { branch: 'main' },
    }
    const body = session.messages.flatMap((message, index) => [
      ...itemsOf(message, index, writeShellOutput),
      ...(message.role === 'assistant' ? [{ record_type: 'state' }] : []),
    ])
    return writeLines([head, ...body])
  },
}

type Calls = ReadonlyMap<string, RecordedCall>

function callsOf({ messages }: RecordedSession): Calls {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  return new Map(calls.map((call) => [call.id, call]))
}

function isPatch(name: unknown): boolean {
  return name === 'write_file' || name === 'edit_file'
}

/** Codex changes files by a custom tool that takes a patch as plain text. */
function asPatchTool(item: ResponseItem, calls: Calls): ResponseItem {
  const { type, name, call_id: id, arguments: written, ...rest } = item
  if (type === 'function_call' && isPatch(name)) {
    const { path, ...parts } = JSON.parse(written as string) as Record<string, string>
    const changed = Object.values(parts).flatMap((part) => part.split('\n'))
    const patch = ['*** Begin Patch', `*** Update File: ${path}`, ...changed, '*** End Patch']
    return { type: 'custom_tool_call', call_id: id, name, input: patch.join('\n'), ...rest }
  }
  const isOfPatch = type === 'function_call_output' && isPatch(calls.get(id as string)?.name)
  return isOfPatch ? { ...item, type: 'custom_tool_call_output' } : item
}

/** The event at the end of a tool, written before its result. */
function eventsBefore(
  session: RecordedSession,
  message: RecordedMessage,
  index: number,
  calls: Calls,
): object[] {
  if (message.role !== 'tool') return []
  const { result } = message
  const call = calls.get(result.callId) as RecordedCall
  return [event(session, index, endOf(result, call))]
}

function endOf(result: RecordedResult, { name, arguments: given }: RecordedCall): object {
  const output = writeResult(result)
  const status = result.isError ? 'failed' : 'completed'
  const base = { call_id: result.callId, turn_id: idOf('turn') }
  if (name === 'run_command') {
    return {
      type: 'exec_command_end',
      ...base,
      command: ['bash', '-lc', given.command],
      cwd: WORKSPACE,
      stdout: output,
      stderr: '',
      aggregated_output: output,
      exit_code: result.isError ? 1 : 0,
      duration: { secs: 0, nanos: 41000000 },
      formatted_output: output,
      status,
    }
  }
  if (isPatch(name)) {
    const stdout = result.isError ? '' : output
    const stderr = result.isError ? output : ''
    return { type: 'patch_apply_end', ...base, stdout, stderr, success: !result.isError, status }
  }
  return {
    type: 'mcp_tool_call_end',
    ...base,
    invocation: { server: 'workspace', tool: name, arguments: given },
    duration: { secs: 0, nanos: 4000000 },
    result: { Ok: { content: [{ type: 'text', text: output }], isError: result.isError } },
  }
}

function eventsAfter(session: RecordedSession, message: RecordedMessage, index: number): object[] {
  if (message.role === 'tool') return []
  const type = message.role === 'user' ? 'user_message' : 'agent_message'
  return [event(session, index, { type, message: message.text })]
}

function event(session: RecordedSession, index: number, payload: object): object {
  return line(session, index, 'event_msg', payload)
}

function line(session: RecordedSession, index: number, type: string, payload: object): object {
  return { timestamp: timestampOf(session, index), type, payload }
}

/** The first versions wrote a command's output and exit code as JSON in a string. */
function writeShellOutput(result: RecordedResult): string {
  if (result.toolName !== 'run_command') return writeResult(result)
  const metadata = { exit_code: result.isError ? 1 : 0, duration_seconds: 0 }
  return JSON.stringify({ output: writeResult(result), metadata })
}

function timestampOf({ startedAt }: RecordedSession, index: number): string {
  return new Date(startedAt + index * 1000).toISOString()
}

function idOf(text: string): string {
  const hex = createHash('sha256').update(`codex ${text}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `7${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function writeLines(lines: readonly object[]): string {
  return lines.map((value) => `${JSON.stringify(value)}\n`).join('')
}
