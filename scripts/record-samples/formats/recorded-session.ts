import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** One recorded session in a neutral shape, the input of every writer. */
export interface RecordedSession {
  readonly system: string
  readonly messages: readonly RecordedMessage[]
  /** Time of the first message in milliseconds since 1970; message `index` is at `startedAt + index * 1000`. */
  readonly startedAt: number
}

export type RecordedMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RecordedCall[] }
  | { readonly role: 'tool'; readonly result: RecordedResult }

export interface RecordedCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface RecordedResult {
  readonly callId: string
  readonly toolName: string
  /** The tool's output, in one or two parts. */
  readonly parts: readonly string[]
  /** True if the command failed or the file was not changed. */
  readonly isError: boolean
}

interface ChatLine {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly { readonly text: string }[]
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

const RECORDING = fileURLToPath(
  new URL('../../../public/samples/text-parts.jsonl', import.meta.url),
)

/** The recording that all format samples are written from. */
export async function readRecordedSession(): Promise<RecordedSession> {
  const lines = (await readFile(RECORDING, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChatLine)
  const nameOf = new Map(
    lines.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ id, function: { name } }) => [id, name] as const),
    ),
  )
  const textOf = ({ content }: ChatLine) =>
    typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
  const messages = lines.flatMap((line): RecordedMessage[] => {
    if (line.role === 'system') return []
    if (line.role === 'user') return [{ role: 'user', text: textOf(line) }]
    if (line.role === 'assistant') {
      const calls = (line.tool_calls ?? []).map(
        ({ id, function: { name, arguments: written } }) => ({
          id,
          name,
          arguments: JSON.parse(written) as Readonly<Record<string, unknown>>,
        }),
      )
      return [{ role: 'assistant', text: textOf(line), calls }]
    }
    const callId = line.tool_call_id as string
    const parts = (line.content as readonly { readonly text: string }[]).map(({ text }) => text)
    const isError = parts[0]?.startsWith('<system>ERROR') === true
    const toolName = nameOf.get(callId) as string
    return [{ role: 'tool', result: { callId, toolName, parts, isError } }]
  })
  const [system] = lines.filter(({ role }) => role === 'system').map(textOf)
  return { system: system ?? '', messages, startedAt: Date.UTC(2026, 10, 22, 9) }
}
