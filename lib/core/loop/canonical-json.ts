import { type JsonNode, parseJsonTree } from '../text/json-tree'

/**
 * A JSON text without white space and with the keys of its objects in order, at every depth; of repeated keys the
 * last counts. Numbers stay as they are spelt, so that no digit of a long one is lost. Throws a `ReadError` where the
 * text is no JSON.
 */
export function canonicalJson(text: string): string {
  const write = (node: JsonNode): string => {
    switch (node.kind) {
      case 'array':
        return `[${node.items.map(write).join(',')}]`
      case 'object': {
        const members = new Map(node.members.map(({ key, value }) => [key, value]))
        const keys = [...members.keys()].sort()
        const written = keys.map(
          (key) => `${JSON.stringify(key)}:${write(members.get(key) as JsonNode)}`,
        )
        return `{${written.join(',')}}`
      }
      case 'string':
        return JSON.stringify(JSON.parse(text.slice(node.start, node.end)))
      case 'other':
        return text.slice(node.start, node.end)
    }
  }
  return write(parseJsonTree(text))
}
