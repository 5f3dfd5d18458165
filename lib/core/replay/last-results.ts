import { partitionPoint } from '../text/span'
import type { PreparedReplay, ResultGroup } from './prepare-replay'

/**
 * By group: the requests from which on it is kept, or no longer kept, in turns, because one of its results is among the
 * last ones of its tool.
 */
export function findKeptGroups(
  { session, groups, keepLastKPerTool: k }: PreparedReplay,
  sentResults: Int32Array,
): (readonly number[])[] {
  const changes: number[][] = groups.map(() => [])
  const groupOf = new Int32Array(session.conversation.results.length).fill(-1)
  /** By request: the groups whose results then get another call, and that call's tool. */
  const relinked: (readonly [group: number, toolName: string])[][] = session.requests.map(() => [])
  for (const [group, { results, links }] of groups.entries()) {
    for (const result of results) groupOf[result] = group
    for (const { from, toolName } of links) {
      // Once a group has a tool, its later calls have one too.
      if (toolName !== undefined) relinked[from]?.push([group, toolName])
    }
  }
  /** By group: how many of its results are sent, how many of those its tool does not list, and how many are last ones. */
  const sent = new Int32Array(groups.length)
  const unlisted = new Int32Array(groups.length)
  const lastOnes = new Int32Array(groups.length)
  /** By tool: its results, ascending; of those that a group brought, only the last k can matter. */
  const listOf = new Map<string, number[]>()
  const toolOf: (string | undefined)[] = groups.map(() => undefined)
  const touched = new Set<number>()

  const count = (result: number | undefined, amount: 1 | -1): void => {
    if (result === undefined) return
    const group = groupOf[result] as number
    lastOnes[group] = (lastOnes[group] as number) + amount
    touched.add(group)
  }
  const placeOf = (list: readonly number[], result: number): number =>
    partitionPoint(0, list.length, (at) => (list[at] as number) < result)
  const add = (list: number[], result: number): void => {
    const place = placeOf(list, result)
    list.splice(place, 0, result)
    if (list.length - place > k) return
    count(result, 1)
    count(list[list.length - k - 1], -1)
  }
  const remove = (list: number[], result: number): void => {
    const place = placeOf(list, result)
    if (list.length - place <= k) {
      count(result, -1)
      count(list[list.length - k - 1], 1)
    }
    list.splice(place, 1)
  }
  const listFor = (toolName: string): number[] => {
    const list = listOf.get(toolName) ?? []
    listOf.set(toolName, list)
    return list
  }
  const move = (group: number, toolName: string): void => {
    const before = toolOf[group]
    if (before === toolName) return
    toolOf[group] = toolName
    const { results } = groups[group] as ResultGroup
    const end = sent[group] as number
    if (before !== undefined) {
      for (const result of results.slice(unlisted[group], end)) remove(listFor(before), result)
    }
    unlisted[group] = Math.max(0, end - k)
    for (const result of results.slice(unlisted[group], end)) add(listFor(toolName), result)
  }

  let next = 0
  for (const [request, links] of relinked.entries()) {
    for (const [group, toolName] of links) move(group, toolName)
    for (; next < (sentResults[request] as number); next++) {
      const group = groupOf[next] as number
      if (group === -1) continue
      sent[group] = (sent[group] as number) + 1
      const toolName = toolOf[group]
      if (toolName !== undefined) add(listFor(toolName), next)
    }
    for (const group of touched) {
      const own = changes[group] as number[]
      const isKept = (lastOnes[group] as number) > 0
      if (isKept !== (own.length % 2 === 1)) own.push(request)
    }
    touched.clear()
  }
  return changes
}
