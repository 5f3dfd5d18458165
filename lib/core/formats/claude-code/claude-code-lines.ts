/** The lines of a Claude Code session, as its files and its stream have them. */
import { isJsonObject, type JsonObject, type Unchecked } from '../../text/json-object'
import type { AnthropicMessage } from '../anthropic/anthropic-message'
import type { SourcePath } from '../reading/build-conversation'

export interface RawLine {
  /** `user` and `assistant` lines have messages. */
  readonly type: string
  /** `compact_boundary` on lines of type `system`. */
  readonly subtype?: string
  readonly message?: AnthropicMessage
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly timestamp?: string
  readonly sessionId?: string
  readonly isSidechain?: boolean
  readonly agentId?: string
  /** True for the summary that replaces all messages before it. */
  readonly isCompactSummary?: boolean
  /** True for a note about a failed request, which no model wrote or receives. */
  readonly isApiErrorMessage?: boolean
  /** The output of the tool for the program; `mcpMeta` is that of an MCP server. */
  readonly toolUseResult?: unknown
  readonly mcpMeta?: unknown
  /** On lines of type `progress`: the call, and its output so far or a line of the agent that it started. */
  readonly parentToolUseID?: string
  readonly data?: { readonly message?: RawLine; readonly agentId?: string }
  /** Names in a stream. */
  readonly session_id?: string
  readonly parent_tool_use_id?: string | null
  readonly tool_use_result?: unknown
}

/** One line of a session, or one item of a list of events. */
export interface SessionLine extends SourcePath {
  readonly value: unknown
}

/** A line that is an object with a type. */
export interface TypedLine extends SessionLine {
  readonly value: Unchecked<RawLine> & JsonObject
}

/** Returns the line of an agent that a `progress` line contains, with the agent's id; undefined for other lines. */
export function agentLineOf({ source, path, value }: TypedLine): TypedLine | undefined {
  const { type, data, parentToolUseID } = value
  if (type !== 'progress' || !isJsonObject(data)) return undefined
  const { message: line, agentId }: Unchecked<NonNullable<RawLine['data']>> = data
  if (!isJsonObject(line) || !isMessageLine(line) || !isJsonObject(line.message)) return undefined
  const agent = { ...line, isSidechain: true, agentId: agentId ?? parentToolUseID }
  return { source, path: [...path, 'data', 'message'], value: agent }
}

export function isMessageLine<Line extends Unchecked<RawLine>>(
  line: Line,
): line is Line & { readonly type: 'user' | 'assistant' } {
  return line.type === 'user' || line.type === 'assistant'
}

/** Keys around a message that only these lines have. */
export const ENVELOPE_KEYS = [
  'parentUuid',
  'isSidechain',
  'toolUseResult',
  'parent_tool_use_id',
  'tool_use_result',
  'sessionId',
  'session_id',
] as const satisfies readonly (keyof RawLine)[]
