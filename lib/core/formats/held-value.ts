import type { JsonPath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { embeddedValue, type SourceValue } from './source-document'

/** The object or list at a path, as a source of its own: a value, or the JSON that a string there holds. */
export function heldValue(
  text: string,
  source: SourceValue,
  path: JsonPath,
): SourceValue | undefined {
  const tree = nodeAt(source.tree, path)
  if (tree?.kind === 'string') return embeddedValue(text, source, path)
  if (tree === undefined || tree.kind === 'other') return undefined
  let value: unknown = source.value
  for (const step of path) value = (value as Readonly<Record<string | number, unknown>>)[step]
  return { ...source, value, tree, heldAt: [...source.heldAt, ...path] }
}
