import { addToGroup } from '../../conversation/add-to-group'
import type { RawResult } from '../../conversation/link-messages'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  membersOf,
  readablePath,
  scalarText,
  visitStrings,
} from '../../text/json-object'
import { phrase, type Words } from '../../words/words'
import type { DuplicateString, MessagePiece, SourcePath } from '../reading/build-conversation'
import { findDuplicatedResult, indexResultTexts, joinedTexts } from '../reading/find-repeats'
import type { ListItem } from '../reading/message-lists'
import type { SourceValue } from '../reading/source-document'
import { lineOrPath } from '../reading/wrong-type-problem'

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

/** A piece of a line; a copy of the line adds duplicates to its results. */
type LinePiece = MessagePiece & {
  readonly duplicates: DuplicateString[][]
  readonly isAttachment?: boolean
}

type LineMessage = [LinePiece, ...LinePiece[]]

/** True for what the user wrote. */
function isPrompt(pieces: readonly LinePiece[]): boolean {
  return pieces.every(
    ({ raw, isAttachment }) => !raw.isAssistant && raw.results.length === 0 && !isAttachment,
  )
}

interface AddedLine {
  readonly context: Context
  readonly message: unknown
  readonly piece: LinePiece
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
  readonly #addedLines = new Map<string, AddedLine>()
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
    if (typeof uuid === 'string') this.#addedLines.set(uuid, { context, message, piece })
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

/**
 * Where a session repeats the output of a tool, on the line of the result; `data` of the call's `progress` lines does too.
 * No model receives any of them.
 */
const OUTPUT_KEYS = ['toolUseResult', 'tool_use_result', 'mcpMeta'] as const

/** Keys of values that are names, kinds or ids; they are not duplicates even when an output has the same text. */
const NAMING_KEY = /^(?:type|subtype|mode|role|status|model|filePath|timestamp)$|(?:id|Id|ID)$/

/** Groups the progress lines by the id of their call. */
export function progressOfCalls(lines: readonly TypedLine[]): Map<string, TypedLine[]> {
  const byCall = new Map<string, TypedLine[]>()
  for (const line of lines) {
    if (line.value.type !== 'progress') continue
    const { parentToolUseID: id } = line.value
    if (typeof id === 'string') addToGroup(byCall, id, line)
  }
  return byCall
}

/**
 * Returns, for each result of a line, the strings that share text with it; a string belongs to the first result it
 * repeats. Removes the progress of the line's calls from `progress`, because ids can be used twice.
 */
export function duplicatesOfResults(
  { source, path, value }: TypedLine,
  results: readonly RawResult[],
  progress: Map<string, readonly TypedLine[]>,
): SourcePath[][] {
  const resultTexts = results.map(joinedTexts)
  const duplicates: SourcePath[][] = results.map(() => [])
  const search = (found: unknown, at: SourcePath, ownerOf: (text: string) => number | undefined) =>
    visitStrings(
      found,
      at.path,
      (text, inner) => duplicates[ownerOf(text) ?? -1]?.push({ source: at.source, path: inner }),
      (key) => NAMING_KEY.test(key),
    )
  const index = indexResultTexts(resultTexts)
  const previews = resultTexts.map(previewIn)
  for (const key of OUTPUT_KEYS)
    search(
      value[key],
      { source, path: [...path, key] },
      (text) =>
        findDuplicatedResult(text, index) ??
        previews.findIndex((preview) => preview && text.includes(preview)),
    )
  for (const [result, { callId }] of results.entries()) {
    const id = scalarText(callId)
    const own = indexResultTexts([resultTexts[result]])
    for (const line of progress.get(id) ?? []) {
      const { data } = line.value
      // The messages of an agent are a conversation of their own.
      const shown = isJsonObject(data) ? { ...data, message: undefined } : data
      const at = { source: line.source, path: [...line.path, 'data'] }
      search(shown, at, (text) =>
        findDuplicatedResult(text, own) === undefined ? undefined : result,
      )
    }
    progress.delete(id)
  }
  return duplicates
}

/**
 * Returns the start of the longest line in the preview of a stored result, since the preview can end inside a line.
 * Undefined for any other result.
 */
function previewIn(result: string): string | undefined {
  if (!result.startsWith('<persisted-output>')) return undefined
  // Without the line of the tag that ends it.
  const lines = result.slice(result.indexOf('\nPreview')).split('\n').slice(2, -1)
  const longest = lines.reduce((best, next) => (next.length > best.length ? next : best), '')
  const start = longest.trim().slice(0, LONGEST_PREVIEW)
  return start.length < SHORTEST_PREVIEW ? undefined : start
}

const SHORTEST_PREVIEW = 12
const LONGEST_PREVIEW = 200
