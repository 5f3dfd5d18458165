import { type ReadConversation, readTime, type Usage } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject } from '../../text/json'
import { type JsonPath, valueAtPath } from '../../text/json-path'
import { buildConversation, type MessagePiece } from './conversation'
import { type Format, requireConversations } from './format'
import { findKeys, type ListItem, skippedMessageProblem } from './lists'
import { labelAt, placeOf, type ReportWrongType, reportWrongTypesTo } from './report'
import type { SourceDocument } from './source-document'

/** What a line adds to a session: a message, or a piece of one. */
export interface LinePart {
  /** Undefined for a value that is no message, which is reported. */
  readonly raw: RawMessage | undefined
  /** The value that the paths of `raw` start from; the line itself by default. */
  readonly path?: JsonPath
  /** Parts with the same answer are one message, even with results between them. */
  readonly answer?: unknown
  /** True for a piece of the answer right before it, if there is one. */
  readonly isContinued?: boolean
}

/** What the lines of a conversation state of it as a whole. */
interface SessionFacts {
  /** Any other value than a text is no name. */
  model?: unknown
  /** The model that a line names for the answers after it; it counts where no answer names one. */
  announced?: unknown
  usage?: Usage | undefined
}

/** Reads a line; `reportAt` reports values of a wrong type below a path of the line, `noteShortened` a text that was cut. */
export type ReadLine = (
  line: JsonObject,
  reportAt: (path: JsonPath) => ReportWrongType,
  facts: SessionFacts,
  noteShortened: (path: JsonPath) => void,
) => readonly LinePart[]

interface SessionLines<Id extends string> extends Pick<Format<Id>, 'id' | 'label' | 'expects'> {
  readonly isLine: (line: JsonObject) => boolean
  /** True for a line that only this format has. */
  readonly isMarked: (line: JsonObject) => boolean
  readonly marks: readonly string[]
  /** Members with the id of a line and that of its parent. */
  readonly keys?: TreeReader['keys']
  /** The index of the last line that is in the session, unless it is the last one. */
  readonly leaf?: (lines: readonly TreeEntry[]) => number
  readonly isCompaction?: TreeReader['isCompaction']
  /** Called for each conversation. */
  readonly startReading: () => ReadLine
}

/** A session of one line per message or event. Where lines name their parents, the path to the last one is the session. */
export function sessionLines<const Id extends string>(format: SessionLines<Id>): Format<Id> {
  const { isLine, isMarked, marks, leaf, startReading, ...names } = format
  const { keys = ['id', 'parentId'], isCompaction = () => false } = format
  const [own, parent] = keys
  return {
    ...names,
    recognise: (source) => {
      const lines = entriesOf(source, isLine)
      if (lines.length * 2 < source.values.length) return null
      if (!lines.some(({ value }) => isMarked(value))) return null
      return { shape: 'event_lines', lists: 1, marks: findKeys(source, marks) }
    },
    read: (source) => {
      const problems: Problem[] = []
      // A compaction that names no parent stands in for the line before it, which is the parent of the next one.
      const lines = entriesOf(source, isLine).map((line, at, all) =>
        isCompaction(line.value, false) && line.value[parent] === undefined
          ? { ...line, value: { ...line.value, [own]: all[at - 1]?.value[own] } }
          : line,
      )
      // A result can have the id of its call.
      const isTree = lines.some(({ value }) => value[parent] !== undefined)
      const conversations = readTree(lines, {
        keys: isTree ? keys : ['', ''],
        ...(leaf && { leaf: leaf(lines) }),
        isCompaction,
        read: (entries, details) => readEntries(entries, details, problems, startReading()),
      })
      reportOtherLines(source, problems)
      return requireConversations({ conversations, problems })
    },
  }
}

/** Reads the lines of one conversation. */
export function readEntries(
  entries: readonly TreeEntry[],
  details: Pick<ReadConversation, 'label'>,
  problems: Problem[],
  readLine: ReadLine,
): ReadConversation {
  const placed: [MessagePiece, ...MessagePiece[]][] = []
  const begun = new Map<unknown, MessagePiece[]>()
  const facts: SessionFacts = {}
  for (const { source, path: base, value } of entries) {
    const reportAt = (path: JsonPath) => reportWrongTypesTo(problems, source, [...base, ...path])
    const noteShortened = (path: JsonPath) => {
      const offset = source.tree.find([...base, ...path])?.start
      problems.push({ code: 'shortened_in_log', values: { path: placeOf(source, path) }, offset })
    }
    const writtenAt = readTime(value.timestamp ?? value.created_at ?? value.create_time)
    const parts = readLine(value, reportAt, facts, noteShortened)
    for (const { raw, path: below = [], answer, isContinued } of parts) {
      const path = [...base, ...below]
      if (raw === undefined) {
        const found = valueAtPath(source.value, path)
        problems.push(skippedMessageProblem({ source, path, value: found }))
        continue
      }
      const piece = { source, path, raw: { writtenAt, ...raw } }
      const last = isContinued && placed.at(-1)?.[0].raw.isAssistant ? placed.at(-1) : undefined
      const known = answer === undefined ? last : begun.get(answer)
      if (known !== undefined) known.push(piece)
      else {
        const message: [MessagePiece, ...MessagePiece[]] = [piece]
        placed.push(message)
        begun.set(answer, message)
      }
    }
  }
  const model = nonEmptyString(facts.model) ?? nonEmptyString(facts.announced)
  return buildConversation(placed, { ...details, model, usageTotal: facts.usage })
}

/** An entry of a session that names its parent, as pi and Qwen Code write them. */
export type TreeEntry = ListItem<JsonObject>

export interface TreeReader {
  /** Members with the id of an entry and that of its parent. */
  readonly keys: readonly [id: string, parentId: string]
  /** The index of the last entry that is in the session, unless it is the last one. */
  readonly leaf?: number
  readonly name?: string
  /** True for an entry that replaces everything before it. */
  readonly isCompaction: (value: JsonObject, isBranch: boolean) => boolean
  readonly read: (
    entries: readonly TreeEntry[],
    details: Pick<ReadConversation, 'label' | 'isSecondary' | 'followsCompaction'>,
  ) => ReadConversation
}

export function entriesOf(
  { values }: SourceDocument,
  isEntry: (value: JsonObject) => boolean,
): TreeEntry[] {
  return values.flatMap((source) => {
    const { value } = source
    return isJsonObject(value) && isEntry(value) ? [{ source, path: [], value }] : []
  })
}

/** Reports the lines that are no objects. */
export function reportOtherLines({ values }: SourceDocument, problems: Problem[]): void {
  for (const source of values) {
    const { value } = source
    if (!isJsonObject(value)) problems.push(skippedMessageProblem({ source, path: [], value }))
  }
}

/**
 * Reads the path to the leaf as the session, and each branch that leaves it and has results or usage; a compaction
 * starts a conversation.
 */
export function readTree(
  entries: readonly TreeEntry[],
  { keys, leaf, name: main = 'session', isCompaction, read }: TreeReader,
): ReadConversation[] {
  const readContexts = (part: readonly TreeEntry[], isBranch: boolean): ReadConversation[] => {
    const contexts: TreeEntry[][] = [[]]
    for (const entry of part) {
      if (isCompaction(entry.value, isBranch)) contexts.push([])
      contexts.at(-1)?.push(entry)
    }
    return contexts.map((context, index) => {
      const name = isBranch ? 'branch' : main
      const label = labelAt(name, context[0]?.source.line, index > 0, isBranch)
      return read(context, { label, isSecondary: isBranch, followsCompaction: index > 0 })
    })
  }
  const { session, branches } = followParents(entries, keys, leaf)
  const left = branches.flatMap((branch) => readContexts(branch, true))
  return [
    ...readContexts(session, false).filter(({ messages }) => messages.length > 0),
    ...left.filter(
      ({ results, messages }) =>
        results.length > 0 || messages.some(({ usage }) => usage !== undefined),
    ),
  ]
}

/**
 * Takes entries apart into the path to the leaf and the branches that leave it. An entry whose parent is not in the file
 * follows the one before it; one with the id of an earlier entry continues that.
 */
function followParents(
  entries: readonly TreeEntry[],
  [idKey, parentKey]: TreeReader['keys'],
  leaf = entries.length - 1,
) {
  const indexOfId = new Map<unknown, number>()
  // A parent comes before its children, so no path is a circle.
  const parents = entries.map(({ value: { [idKey]: id, [parentKey]: parentId } }, index) => {
    const parent =
      indexOfId.get(id) ?? (parentId === null ? -1 : (indexOfId.get(parentId) ?? index - 1))
    if (typeof id === 'string') indexOfId.set(id, index)
    return parent
  })
  const onPath = new Set<number>()
  for (let at = leaf; at >= 0; at = parents[at] as number) onPath.add(at)
  const branchOf = new Map<number, TreeEntry[]>()
  for (const [index, entry] of entries.entries()) {
    if (onPath.has(index)) continue
    const branch = branchOf.get(parents[index] as number) ?? []
    branch.push(entry)
    branchOf.set(index, branch)
  }
  const session = entries.filter((_, index) => onPath.has(index))
  return { session, branches: [...new Set(branchOf.values())] }
}
