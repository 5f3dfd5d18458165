/** Which conversation a line of a Claude Code session belongs to. */
import { isJsonObject } from '../conversation/chat-message'
import { readablePath } from '../text/json-pointer'
import type { MessagePiece, PlacedMessage } from './build-conversation'
import type { SessionLine } from './claude-code-twins'

type JsonObject = Readonly<Record<string, unknown>>

/** The messages of one context: what a model was sent together. */
export interface Thread {
  readonly label: string
  readonly placed: readonly PlacedMessage[]
  /** The first model an answer names. */
  readonly model: string | undefined
  /** Whether it is a sidechain's. */
  readonly isAside: boolean
}

interface OpenThread {
  readonly label: string
  readonly isAside: boolean
  readonly placed: [MessagePiece, ...MessagePiece[]][]
  readonly byMessageId: Map<string, [MessagePiece, ...MessagePiece[]]>
  model: string | undefined
}

/** Sorts lines into threads: the session, its sidechains, and each of them anew after a compaction. */
export class ThreadSorter {
  readonly #threads: OpenThread[] = []
  /** The thread that goes on, by chain; none before a chain's first message and after a compaction. */
  readonly #open = new Map<string, OpenThread>()
  readonly #isCompacted = new Set<string>()
  readonly #named = new Set<string>()
  /** The chain of every line with a `uuid`, for sidechains that bear no name of their own. */
  readonly #chainOfLine = new Map<string, string>()

  get threads(): readonly Thread[] {
    return this.#threads
  }

  /** Notes a line, message or not, and gives the chain it belongs to. */
  chainOf({ value }: SessionLine): string {
    if (!isJsonObject(value)) return ''
    const chain = this.#nameChain(value)
    if (typeof value.uuid === 'string') this.#chainOfLine.set(value.uuid, chain)
    return chain
  }

  /** What follows on this chain is sent without what stands before. */
  compact(chain: string): void {
    if (!this.#open.delete(chain)) return
    this.#isCompacted.add(chain)
  }

  /** The thread that a message of this chain goes on, if there is one. */
  openThread(chain: string): Thread | undefined {
    return this.#open.get(chain)
  }

  /** Adds what a line holds of a message; lines with one message id are pieces of one message. */
  add(chain: string, line: SessionLine, piece: MessagePiece, message: JsonObject): void {
    const thread = this.#open.get(chain) ?? this.#start(chain, line)
    const id = typeof message.id === 'string' && piece.raw.isAssistant ? message.id : undefined
    const begun = id === undefined ? undefined : thread.byMessageId.get(id)
    if (begun !== undefined) {
      begun.push(piece)
    } else {
      const placed: [MessagePiece, ...MessagePiece[]] = [piece]
      thread.placed.push(placed)
      if (id !== undefined) thread.byMessageId.set(id, placed)
    }
    if (typeof message.model === 'string') thread.model ??= message.model
  }

  #nameChain(line: JsonObject): string {
    const { agentId, parent_tool_use_id: parent, isSidechain, parentUuid, uuid } = line
    if (isSidechain === true || (isSidechain === undefined && typeof agentId === 'string')) {
      if (typeof agentId === 'string') return `agent ${agentId}`
      const inherited =
        typeof parentUuid === 'string' ? this.#chainOfLine.get(parentUuid) : undefined
      return inherited?.startsWith('sidechain') === true ? inherited : `sidechain ${uuid ?? ''}`
    }
    if (typeof parent === 'string') return `agent of ${parent}`
    return typeof line.session_id === 'string' ? `session ${line.session_id}` : 'session'
  }

  #start(chain: string, line: SessionLine): OpenThread {
    const { source, path } = line
    const place = source.line === undefined ? readablePath(path) : `line ${source.line}`
    const kind = /^(?:session|sidechain)/.exec(chain)?.[0] ?? chain
    const from = this.#named.has(kind) || kind === 'sidechain' ? `${kind} from ${place}` : kind
    this.#named.add(kind)
    const label = this.#isCompacted.has(chain) ? `${from}, after a compaction` : from
    const isAside = !chain.startsWith('session')
    const byMessageId: OpenThread['byMessageId'] = new Map()
    const thread: OpenThread = { label, isAside, placed: [], byMessageId, model: undefined }
    this.#threads.push(thread)
    this.#open.set(chain, thread)
    return thread
  }
}
