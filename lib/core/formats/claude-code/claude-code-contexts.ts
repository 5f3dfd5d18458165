import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { type JsonPath, readablePath } from '../../text/json-path'
import { phrase, type Words } from '../../words/words'
import type { MessagePiece } from '../reading/conversation'
import type { ListItem } from '../reading/lists'
import { lineOrPath } from '../reading/report'
import type { SourceValue } from '../reading/source-document'

/** Begins the chain of an agent that is known by its call only. */
const AGENT_OF = 'agent of '

/** Messages that a model received together. */
interface Context {
  readonly label: Words
  readonly messages: LineMessage[]
  readonly byMessageId: Map<unknown, LineMessage>
  readonly clearedAt: Map<unknown, number>
  /** The first model that an answer names. */
  model: string | undefined
  /** True for a sidechain. */
  readonly isSecondary: boolean
  readonly followsCompaction: boolean
}

type LinePiece = MessagePiece & { readonly isAttachment?: boolean }

type LineMessage = [LinePiece, ...LinePiece[]]

/** True for what the user wrote. */
function isPrompt(pieces: readonly LinePiece[]): boolean {
  return pieces.every(
    ({ raw, isAttachment }) => !raw.isAssistant && raw.results.length === 0 && !isAttachment,
  )
}

/**
 * Sorts the lines of a session into contexts. A chain is the session or one of its sidechains; a compaction starts a new
 * context on its chain.
 */
export class ContextSorter {
  readonly contexts: Context[] = []
  /** The current context of each chain; none before its first message and after a compaction. */
  readonly #current = new Map<string, Context>()
  readonly #compactedChains = new Set<string>()
  readonly #labels = new Set<string>()
  /** The chain of each line with a `uuid`, for lines of sidechains without an `agentId`. */
  readonly #chainOfLine = new Map<string, string>()
  readonly #addedLines = new Map<string, { readonly context: Context; readonly message: unknown }>()
  /** By line: its context, and the number of messages there after it. */
  readonly #ends = new Map<unknown, { readonly context: Context; readonly end: number }>()

  /** Returns the chain that a line belongs to, and remembers it for lines that follow. */
  chainOf({ value }: ListItem): string {
    if (!isJsonObject(value)) return ''
    const chain = this.#nameChain(value)
    if (typeof value.uuid === 'string') this.#chainOfLine.set(value.uuid, chain)
    return chain
  }

  /** Remembers where a line ends that a later one may continue. */
  close(chain: string, { value }: ListItem): void {
    const context = this.#current.get(chain)
    const { uuid } = membersOf(value)
    if (context !== undefined) this.#ends.set(uuid, { context, end: context.messages.length })
  }

  /** Notes the results that the client cleared in all later requests of a chain. */
  clear(chain: string, { microcompactMetadata: metadata }: JsonObject): void {
    const context = this.#current.get(chain)
    for (const id of itemsOf(membersOf(metadata).compactedToolIds))
      if (context?.clearedAt.has(id) === false) context.clearedAt.set(id, context.messages.length)
  }

  /** Ends the current context of a chain. */
  compact(chain: string): void {
    if (this.#current.delete(chain)) this.#compactedChains.add(chain)
  }

  /**
   * True for a line that repeats the `uuid` and message of a line in the same context. Files have such copies after a
   * session is resumed.
   */
  isCopy(chain: string, { value }: TypedLine): boolean {
    const original = typeof value.uuid === 'string' ? this.#addedLines.get(value.uuid) : undefined
    if (original === undefined || original.context !== this.#current.get(chain)) return false
    return JSON.stringify(original.message) === JSON.stringify(value.message)
  }

  /** Adds the message of a line to its context; lines with the same message id are pieces of one message. */
  add(chain: string, line: TypedLine, piece: LinePiece, { id, model }: JsonObject): void {
    const context = this.#current.get(chain) ?? this.#start(chain, line)
    if (isPrompt([piece])) this.#leaveBranch(context, line)
    const hasId = typeof id === 'string' && piece.raw.isAssistant
    const last = context.messages.at(-1)
    const isBeside = !piece.raw.isAssistant && last?.[0].raw.isAssistant === false
    const hasAttachment = piece.isAttachment ?? last?.at(-1)?.isAttachment
    const begun = hasId ? context.byMessageId.get(id) : undefined
    // Results and what is attached to them are sent in one message.
    if (isBeside && hasAttachment === true) last?.push(piece)
    else if (begun !== undefined) begun.push(piece)
    else {
      const message: LineMessage = [piece]
      context.messages.push(message)
      if (hasId) context.byMessageId.set(id, message)
    }
    // Claude Code gives this name to messages of its own.
    if (typeof model === 'string' && model !== '<synthetic>') context.model ??= model
    const { uuid, message } = line.value
    if (typeof uuid === 'string') this.#addedLines.set(uuid, { context, message })
  }

  /** Takes back what follows the line that a prompt continues, if it is another prompt: the user went back there. */
  #leaveBranch(context: Context, { source, path, value }: TypedLine): void {
    const from = this.#ends.get(value.parentUuid)
    if (from?.context !== context || !context.messages.slice(from.end).some(isPrompt)) return
    const messages = context.messages.splice(from.end)
    const label = phrase('taken_back', { place: lineOrPath(source, path) })
    this.contexts.push({ ...context, label, isSecondary: true, messages })
  }

  #nameChain(line: JsonObject): string {
    const { agentId, parent_tool_use_id: parent, isSidechain, parentUuid, uuid } = line
    if (isSidechain === true || (isSidechain === undefined && typeof agentId === 'string')) {
      if (typeof agentId === 'string') return `agent ${agentId}`
      const inherited =
        typeof parentUuid === 'string' ? this.#chainOfLine.get(parentUuid) : undefined
      return inherited?.startsWith('sidechain') === true
        ? inherited
        : `sidechain ${scalarText(uuid)}`
    }
    if (typeof parent === 'string') return `${AGENT_OF}${parent}`
    return typeof line.session_id === 'string' ? `session ${line.session_id}` : 'session'
  }

  #start(chain: string, { source, path }: ListItem): Context {
    const kind = /^(?:session|sidechain)/.exec(chain)?.[0] ?? chain
    const name: Words = kind.startsWith(AGENT_OF)
      ? phrase('agent_of', { id: kind.slice(AGENT_OF.length) })
      : kind
    const isNamed = !this.#labels.has(kind) && kind !== 'sidechain'
    const label = isNamed ? name : labelFrom(name, source, path)
    this.#labels.add(kind)
    const context: Context = {
      label: this.#compactedChains.has(chain) ? phrase('after_a_compaction', { label }) : label,
      isSecondary: !chain.startsWith('session'),
      followsCompaction: this.#compactedChains.has(chain),
      messages: [],
      byMessageId: new Map(),
      clearedAt: new Map(),
      model: undefined,
    }
    this.contexts.push(context)
    this.#current.set(chain, context)
    return context
  }
}

function labelFrom(label: Words, { line }: SourceValue, path: JsonPath): Words {
  return line === undefined
    ? phrase('label_from_place', { label, place: readablePath(path) })
    : phrase('label_from_line', { label, n: line })
}

/** A line that is an object with a type. */
export type TypedLine = ListItem<JsonObject>

/** Returns the line of an agent that a `progress` line contains, with the agent's id; undefined for other lines. */
export function agentLineOf({ source, path, value }: TypedLine): TypedLine | undefined {
  const { type, data, parentToolUseID } = value
  if (type !== 'progress' || !isJsonObject(data)) return undefined
  const { message: line, agentId } = data
  if (!isJsonObject(line) || !isMessageLine(line) || !isJsonObject(line.message)) return undefined
  const agent = { ...line, isSidechain: true, agentId: agentId ?? parentToolUseID }
  return { source, path: [...path, 'data', 'message'], value: agent }
}

export function isMessageLine(
  line: JsonObject,
): line is JsonObject & { readonly type: 'user' | 'assistant' } {
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
] as const
