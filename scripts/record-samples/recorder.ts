import type { Content, Dialect } from './dialects'
import { execute, type Outcome, type ToolRequest } from './tools'
import type { Workspace } from './workspace'

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A chat-completions message, with the keys in the order they are written. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly tool_call_id?: string
  readonly name?: string
  readonly content: Content | null
  readonly reasoning_content?: string
  readonly tool_calls?: readonly ToolCall[]
}

export interface RecorderSettings {
  readonly workspace: Workspace
  readonly dialect: Dialect
  readonly seed: number
  /** Write the tool's name on every result, as some clients do. */
  readonly hasToolNames?: boolean
}

/**
 * Records a conversation. `turn` runs each call in the workspace, adds the assistant's message and one
 * result per call, and returns the results' texts to the plan.
 */
export interface Recorder {
  readonly messages: readonly Message[]
  readonly workspace: Workspace
  system(text: string): void
  user(text: string): void
  say(text: string): void
  /** Reasoning for the next assistant message. */
  think(text: string): void
  turn<const Requests extends readonly ToolRequest[]>(
    text: string | null,
    ...requests: Requests
  ): Promise<{ [Position in keyof Requests]: string }>
}

export function createRecorder(settings: RecorderSettings): Recorder {
  const { workspace, dialect } = settings
  const nextId = createCallIds(settings.seed)
  const messages: Message[] = []
  let reasoning: string | undefined

  const addAssistant = (content: string | null, calls: readonly ToolCall[]) => {
    messages.push({
      role: 'assistant',
      content,
      ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    })
    reasoning = undefined
  }

  return {
    messages,
    workspace,
    system: (content) => messages.push({ role: 'system', content }),
    user: (content) => messages.push({ role: 'user', content }),
    say: (content) => addAssistant(content, []),
    think(text) {
      reasoning = text
    },
    async turn(text, ...requests) {
      const calls = requests.map(
        (request): ToolCall => ({
          id: nextId(),
          type: 'function',
          function: { name: request.name, arguments: JSON.stringify(request.arguments) },
        }),
      )
      addAssistant(text, calls)
      const texts: string[] = []
      // One after the other, so that an edit beside a read gives the same record every time.
      for (const [position, request] of requests.entries()) {
        const outcome = await execute(request, workspace)
        const name = settings.hasToolNames ? { name: request.name } : {}
        const id = calls[position]?.id ?? ''
        messages.push({ role: 'tool', tool_call_id: id, ...name, content: dialect(outcome) })
        texts.push(textOf(outcome))
      }
      return texts as { [Position in keyof typeof requests]: string }
    },
  }
}

/** The output without dialect; plans read figures from it. */
function textOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'text':
      return outcome.text
    case 'failure':
      return outcome.message
    case 'command':
      return `${outcome.output.stdout}${outcome.output.stderr}`
  }
}

/**
 * Returns the first group of `pattern` in `text`, for a figure that a later message quotes.
 * Throws if there is none, which stops the recording.
 */
export function capture(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (found === undefined)
    throw new Error(`The plan expects ${pattern} in:\n${text.slice(0, 2000)}`)
  return found
}

/** Throws, which stops the recording, unless `pattern` occurs in `text`. */
export function expectMatch(text: string, pattern: RegExp): void {
  if (!pattern.test(text))
    throw new Error(`The plan expects ${pattern} in:\n${text.slice(0, 2000)}`)
}

/** A random number generator over [0, 1) with a fixed sequence per seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Call ids of the length and alphabet that chat-completions servers send. */
function createCallIds(seed: number): () => string {
  const random = createRandom(seed)
  return () => {
    let id = 'call_'
    for (let length = 0; length < 24; length++) id += BASE_62[Math.floor(random() * BASE_62.length)]
    return id
  }
}
