import type { Problem } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { describeJson } from './describe-json'
import type { SourceValue } from './source-document'

/**
 * The problem of a value that is not what its place calls for, to be listed or thrown (`new ReadError(...)` takes its parts).
 * `expected` goes on from "expected "; the path names the line in JSON Lines.
 */
export function wrongType(
  source: SourceValue,
  path: JsonPath,
  value: unknown,
  expected: string,
): Problem {
  const place = readablePath([...source.heldAt, ...path])
  return {
    code: 'wrong_type',
    values: {
      path: source.line === undefined ? place : `line ${source.line}: ${place}`,
      found: describeJson(value),
      expected,
    },
    offset: (nodeAt(source.tree, path) ?? nodeAt(source.tree, path.slice(0, -1)) ?? source.tree)
      .start,
  }
}
