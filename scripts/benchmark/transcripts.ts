/** Generated transcripts; the lines of their results are source code. */
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import { readDocument } from '../../lib/core/formats/read-document'

export const LINE =
  '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0) // ligne 42, été\n'

interface Shape {
  readonly turns: number
  /** Lines of each result. */
  readonly lines?: number
  readonly line?: string
  /** Number of call ids; they repeat if there are more turns. */
  readonly ids?: number
}

export interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

/** Chat-completions messages with one call in each turn. */
export function makeMessages({
  turns,
  lines = 10,
  line = LINE,
  ids = turns,
}: Shape): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'user', content: 'go' }]
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn % ids}`
    const name = `tool_${turn % 7}`
    messages.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: '{"path":"a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: id, content: `${turn}\n${line.repeat(lines)}` },
    )
  }
  return messages
}

export function makeBody(shape: Shape): string {
  return JSON.stringify({ messages: makeMessages(shape) }, null, 1)
}

export function makeConversation(shape: Shape): ReadConversation {
  const [conversation] = readDocument(makeBody(shape)).conversations
  if (conversation === undefined) throw new Error('The generated body is not a conversation.')
  return conversation
}

/** A Claude Code session with results of four kilobytes, each of them twice. */
export function makeClaudeSession(turns: number): string {
  const envelope = {
    sessionId: 'session',
    isSidechain: false,
    version: '2.1.14',
    cwd: '/home/user',
  }
  const lines = Array.from({ length: turns }, (_, turn) => {
    const id = `toolu_${turn}`
    const call = { type: 'tool_use', id, name: `tool_${turn % 7}`, input: { path: 'a.ts' } }
    const output = `${turn}\n${LINE.repeat(40)}`
    const result = { type: 'tool_result', tool_use_id: id, content: output }
    const answer = { id: `msg_${turn}`, role: 'assistant', content: [call] }
    return [
      { ...envelope, type: 'assistant', message: answer },
      {
        ...envelope,
        type: 'user',
        message: { role: 'user', content: [result] },
        toolUseResult: { stdout: output, stderr: '' },
      },
    ]
  })
  return lines
    .flat()
    .map((line) => JSON.stringify(line))
    .join('\n')
}

export function megabytes(text: string): string {
  return `${(text.length / 1e6).toFixed(1)} MB`
}

/** A plain scan of a text. */
export function passOver(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
  return sum
}
