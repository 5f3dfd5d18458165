import { createHash } from 'node:crypto'
import type { FormatWriter } from './format-writer'
import type { RecordedResult, RecordedSession } from './recorded-session'
import { anthropicMessagesOf } from './write-anthropic-messages'

const MODEL = 'claude-sonnet-4-5-20250929'
const VERSION = '2.1.14'
const SESSION_ID = uuidOf('session')
const WORKSPACE = '/home/user/text-box'

/** A session file: one line per block of an answer; a result's line also has the tool's raw output. */
export const claudeCodeSession: FormatWriter = {
  format: 'claude-code',
  file: 'session.jsonl',
  write: (session: RecordedSession) => {
    const lines = sessionLines(session)
    const messageLines = lines.map(({ type, message, output, at }, index) => ({
      parentUuid: index === 0 ? null : uuidOf(`line ${index - 1}`),
      isSidechain: false,
      userType: 'external',
      cwd: WORKSPACE,
      sessionId: SESSION_ID,
      version: VERSION,
      gitBranch: 'main',
      type,
      message,
      ...(type === 'assistant' && { requestId: `req_${shortId(`request ${at}`)}` }),
      uuid: uuidOf(`line ${index}`),
      timestamp: timestampOf(session, at),
      ...(output !== undefined && { toolUseResult: output }),
    }))
    const snapshot = {
      type: 'file-history-snapshot',
      messageId: uuidOf('line 0'),
      snapshot: {
        messageId: uuidOf('line 0'),
        trackedFileBackups: {},
        timestamp: timestampOf(session, 0),
      },
      isSnapshotUpdate: false,
    }
    const duration = {
      parentUuid: uuidOf(`line ${lines.length - 1}`),
      isSidechain: false,
      sessionId: SESSION_ID,
      type: 'system',
      subtype: 'turn_duration',
      durationMs: session.messages.length * 1000,
      timestamp: timestampOf(session, session.messages.length),
      uuid: uuidOf('duration'),
      isMeta: false,
    }
    return writeLines([snapshot, ...messageLines, duration])
  },
}

/** Output of `claude -p --output-format stream-json --verbose`. */
export const claudeCodeStream: FormatWriter = {
  format: 'claude-code',
  file: 'stream.jsonl',
  write: (session: RecordedSession) => {
    const init = {
      type: 'system',
      subtype: 'init',
      cwd: WORKSPACE,
      session_id: SESSION_ID,
      tools: [...new Set(resultsOf(session).map(({ toolName }) => toolName))],
      mcp_servers: [],
      model: MODEL,
      permissionMode: 'default',
      uuid: uuidOf('init'),
    }
    const lines = sessionLines(session).map(({ type, message, output }, index) => ({
      type,
      message,
      parent_tool_use_id: null,
      session_id: SESSION_ID,
      uuid: uuidOf(`line ${index}`),
      ...(output !== undefined && { tool_use_result: output }),
    }))
    const last = session.messages.at(-1)
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: session.messages.length * 1000,
      num_turns: session.messages.filter(({ role }) => role === 'assistant').length,
      result: last?.role === 'assistant' ? last.text : '',
      session_id: SESSION_ID,
      uuid: uuidOf('result'),
    }
    return writeLines([init, ...lines, result])
  },
}

interface SessionLine {
  readonly type: 'user' | 'assistant'
  readonly message: object
  /** The tool's raw output, as Claude Code stores it beside the result. */
  readonly output?: unknown
  /** Index of its message. */
  readonly at: number
}

function sessionLines(session: RecordedSession): SessionLine[] {
  const results = resultsOf(session)
  let answered = 0
  return anthropicMessagesOf(session).flatMap(({ role, content }, at): SessionLine[] => {
    if (typeof content === 'string') return [{ type: role, message: { role, content }, at }]
    if (role === 'user') {
      return content.map((block) => {
        const result = results[answered++] as RecordedResult
        return { type: role, message: { role, content: [block] }, output: outputOf(result), at }
      })
    }
    return content.map((block) => ({
      type: role,
      message: {
        model: MODEL,
        id: `msg_${shortId(`message ${at}`)}`,
        type: 'message',
        role,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
      },
      at,
    }))
  })
}

function resultsOf({ messages }: RecordedSession): RecordedResult[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.result] : []))
}

/** The raw output by tool: a file's lines without line numbers, a command's output under `stdout`. */
function outputOf({ toolName, parts, isError }: RecordedResult): unknown {
  const text = parts.join('\n')
  if (isError) return `Error: ${text}`
  if (toolName === 'run_command') {
    return { stdout: text, stderr: '', interrupted: false, isImage: false }
  }
  if (toolName !== 'read_file') return text
  const lines = text.split('\n').map((line) => line.replace(/^ *\d+ {2}/, ''))
  const numLines = lines.length
  return { type: 'text', file: { content: lines.join('\n'), numLines, startLine: 1 } }
}

function writeLines(lines: readonly object[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

function timestampOf({ startedAt }: RecordedSession, at: number): string {
  return new Date(startedAt + at * 1000).toISOString()
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`text-box ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function shortId(name: string): string {
  return `01${createHash('sha256').update(name).digest('base64url').replace(/[-_]/g, 'x').slice(0, 22)}`
}
