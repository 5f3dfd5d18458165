/** Lines of the proxy's recording: one with `continues` has only the messages after those of the request before it. */
import { itemsOf, membersOf } from '../../text/json'
import type { SourceValue } from './source-document'

type WithValue = Pick<SourceValue, 'value'>

/** Members of a request that are its messages. */
export const MESSAGE_LISTS = ['messages', 'input', 'contents'] as const

/**
 * Returns the values with each such line joined to the request that it continues, and the items of joined lists: each has
 * the line that it stands in. A line that continues nothing stays as it is.
 */
export function joinGrowth<Source extends WithValue>(values: readonly Source[]) {
  const items = new Map<unknown, Items<Source>>()
  const joined: Source[] = []
  let grown:
    | { readonly key: string; readonly list: unknown[]; readonly own: Items<Source> }
    | undefined
  for (const source of values) {
    const { continues } = membersOf(source.value)
    const last = joined.at(-1)
    const key = continues === true ? last && listKeyOf(last) : undefined
    if (key === undefined || last === undefined || listKeyOf(source) !== key) {
      grown = undefined
      joined.push(source)
      continue
    }
    if (grown === undefined) {
      const own = itemsIn(last, key)
      grown = { key, own, list: own.map(({ value }) => value) }
      const record = membersOf(last.value)
      const request = { ...membersOf(record.request), [key]: grown.list }
      joined[joined.length - 1] = { ...last, value: { ...record, request } }
      items.set(grown.list, own)
    }
    const more = itemsIn(source, key)
    grown.own.push(...more)
    grown.list.push(...more.map(({ value }) => value))
  }
  return { values: joined, items }
}

type Items<Source extends WithValue> = ReturnType<typeof itemsIn<Source>>

const requestOf = ({ value }: WithValue) => membersOf(membersOf(value).request)

const listKeyOf = (source: WithValue) =>
  MESSAGE_LISTS.find((name) => Array.isArray(requestOf(source)[name]))

const itemsIn = <Source extends WithValue>(source: Source, key: string) =>
  itemsOf(requestOf(source)[key]).map((value, at) => ({
    source,
    path: ['request', key, at],
    value,
  }))
