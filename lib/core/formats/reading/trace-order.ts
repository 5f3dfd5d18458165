import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject } from '../../text/json'
import { type ListItem, skippedMessageProblem } from './lists'
import type { SourceDocument } from './source-document'
import { labelAt } from './wrong-type-problem'

/** The position of an item, such as a span or an observation, in a trace. */
export interface TracePosition {
  readonly spanId: unknown
  readonly parentId: unknown
  readonly traceId: unknown
  /** In any unit. */
  readonly startTime: number
}

/** Sorts items by start time within their trace; traces stay in document order. */
export function sortByTraceAndTime<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => TracePosition,
): Item[] {
  const traces = new Map<unknown, number>()
  const ranked = items.map((item) => {
    const { traceId, startTime } = positionOf(item)
    const rank = traces.get(traceId) ?? traces.size
    traces.set(traceId, rank)
    return { item, rank, startTime }
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.startTime - b.startTime).map(({ item }) => item)
}

/** Drops items that are ancestors of another item; `all` contains the items between them. */
export function dropAncestors<Item extends All, All>(
  items: readonly Item[],
  all: readonly All[],
  positionOf: (item: All) => TracePosition,
): Item[] {
  const parentOf = new Map(all.map(positionOf).map(({ spanId, parentId }) => [spanId, parentId]))
  const ancestors = new Set<unknown>()
  for (const item of items) {
    let { parentId } = positionOf(item)
    while (typeof parentId === 'string' && !ancestors.has(parentId)) {
      ancestors.add(parentId)
      parentId = parentOf.get(parentId)
    }
  }
  return items.filter((item) => !ancestors.has(positionOf(item).spanId))
}

/** An entry of a session that names its parent, as pi and Qwen Code write them. */
export type TreeEntry = ListItem<JsonObject>

type TreeDetails = Pick<ReadConversation, 'label' | 'isSecondary' | 'followsCompaction'>

export interface TreeReader {
  /** Members with the id of an entry and that of its parent. */
  readonly keys: readonly [id: string, parentId: string]
  /** The index of the last entry that is in the session, unless it is the last one. */
  readonly leaf?: number
  readonly name?: string
  /** True for an entry that replaces everything before it. */
  readonly isCompaction: (value: JsonObject, isBranch: boolean) => boolean
  readonly read: (entries: readonly TreeEntry[], details: TreeDetails) => ReadConversation
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
    ...left.filter(({ results, messages }) => results.length > 0 || messages.some(hasUsage)),
  ]
}

function hasUsage({ usage }: ReadConversation['messages'][number]): boolean {
  return usage !== undefined
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
