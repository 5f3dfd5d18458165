import type { JsonPath } from '../../text/json-object'
import { isJsonObject, readablePath, scalarText, type Unchecked } from '../../text/json-object'
import { phrase, type Words } from '../../words/words'
import type { AnthropicMessage } from '../anthropic/anthropic-message'
import type { DuplicateString, MessagePiece, MessagePieces } from '../reading/build-conversation'
import type { ListItem } from '../reading/message-lists'
import type { SourceValue } from '../reading/source-document'
import type { RawLine, TypedLine } from './claude-code-lines'

/** Begins the chain of an agent that is known by its call only. */
const AGENT_OF = 'agent of '

/** Messages that a model received together. */
interface Context {
  readonly label: Words
  readonly messages: readonly MessagePieces[]
  /** The first model that an answer names. */
  readonly model: string | undefined
  /** True for a sidechain. */
  readonly isSecondary: boolean
  readonly followsCompaction: boolean
}

/** A piece of a line; a copy of the line adds duplicates to its results. */
type LinePiece = MessagePiece & { readonly duplicates: DuplicateString[][] }

interface OpenContext extends Context {
  readonly messages: [MessagePiece, ...MessagePiece[]][]
  readonly byMessageId: Map<string, [MessagePiece, ...MessagePiece[]]>
  model: string | undefined
}

interface AddedLine {
  readonly context: OpenContext
  readonly message: unknown
  readonly piece: LinePiece
}

/**
 * Sorts the lines of a session into contexts. A chain is the session or one of its sidechains; a compaction starts a new
 * context on its chain.
 */
export class ContextSorter {
  readonly #contexts: OpenContext[] = []
  /** The current context of each chain; none before its first message and after a compaction. */
  readonly #current = new Map<string, OpenContext>()
  readonly #compactedChains = new Set<string>()
  readonly #labels = new Set<string>()
  /** The chain of each line with a `uuid`, for lines of sidechains without an `agentId`. */
  readonly #chainOfLine = new Map<string, string>()
  readonly #addedLines = new Map<string, AddedLine>()

  get contexts(): readonly Context[] {
    return this.#contexts
  }

  /** Returns the chain that a line belongs to, and remembers it for lines that follow. */
  chainOf({ value }: ListItem): string {
    if (!isJsonObject(value)) return ''
    const chain = this.#nameChain(value)
    if (typeof value.uuid === 'string') this.#chainOfLine.set(value.uuid, chain)
    return chain
  }

  /** Ends the current context of a chain. */
  compact(chain: string): void {
    if (this.#current.delete(chain)) this.#compactedChains.add(chain)
  }

  /**
   * Adds a line that repeats the `uuid` and message of a line in the same context: its results become duplicates.
   * Returns false for any other line. Files have such copies after a session is resumed.
   */
  addCopy(chain: string, { value }: TypedLine, copy: LinePiece): boolean {
    const original = typeof value.uuid === 'string' ? this.#addedLines.get(value.uuid) : undefined
    if (original === undefined || original.context !== this.#current.get(chain)) return false
    if (JSON.stringify(original.message) !== JSON.stringify(value.message)) return false
    const { source } = copy
    for (const [index, { texts, filler = '' }] of copy.raw.results.entries()) {
      const repeated = texts.map(({ path = [] }, part): DuplicateString => {
        const at = [...copy.path, ...path]
        return part === 0 ? { source, path: at } : { source, path: at, filler }
      })
      original.piece.duplicates[index]?.push(
        ...repeated,
        ...(copy.duplicates[index] as DuplicateString[]),
      )
    }
    return true
  }

  /** Adds the message of a line to its context; lines with the same message id are pieces of one message. */
  add(
    chain: string,
    line: TypedLine,
    piece: LinePiece,
    { id, model }: Unchecked<AnthropicMessage>,
  ): void {
    const context = this.#current.get(chain) ?? this.#start(chain, line)
    const messageId = typeof id === 'string' && piece.raw.isAssistant ? id : undefined
    const begun = messageId === undefined ? undefined : context.byMessageId.get(messageId)
    if (begun !== undefined) begun.push(piece)
    else {
      const message: [MessagePiece, ...MessagePiece[]] = [piece]
      context.messages.push(message)
      if (messageId !== undefined) context.byMessageId.set(messageId, message)
    }
    // Claude Code gives this name to messages of its own.
    if (typeof model === 'string' && model !== '<synthetic>') context.model ??= model
    const { uuid, message } = line.value
    if (typeof uuid === 'string') this.#addedLines.set(uuid, { context, message, piece })
  }

  #nameChain(line: Unchecked<RawLine>): string {
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

  #start(chain: string, { source, path }: ListItem): OpenContext {
    const kind = /^(?:session|sidechain)/.exec(chain)?.[0] ?? chain
    const name: Words = kind.startsWith(AGENT_OF)
      ? phrase('agent_of', { id: kind.slice(AGENT_OF.length) })
      : kind
    const isNamed = !this.#labels.has(kind) && kind !== 'sidechain'
    const label = isNamed ? name : labelFrom(name, source, path)
    this.#labels.add(kind)
    const context: OpenContext = {
      label: this.#compactedChains.has(chain) ? phrase('after_a_compaction', { label }) : label,
      isSecondary: !chain.startsWith('session'),
      followsCompaction: this.#compactedChains.has(chain),
      messages: [],
      byMessageId: new Map(),
      model: undefined,
    }
    this.#contexts.push(context)
    this.#current.set(chain, context)
    return context
  }
}

function labelFrom(label: Words, { line }: SourceValue, path: JsonPath): Words {
  return line === undefined
    ? phrase('label_from_place', { label, place: readablePath(path) })
    : phrase('label_from_line', { label, n: line })
}
