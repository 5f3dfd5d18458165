import type { Problem } from '../../problem'
import { type JsonPath, readablePath } from '../../text/json-object'
import { describeJson } from './describe-json'
import type { SourceValue } from './source-document'

/** Reports a value of the wrong type; `expected` completes the sentence "expected ...". */
export type ReportWrongType = (path: JsonPath, value: unknown, expected: string) => void

/** Returns a callback that adds a problem for each value it is given; its paths are relative to `base`. */
export function reportWrongTypesTo(
  problems: Problem[],
  source: SourceValue,
  base: JsonPath,
): ReportWrongType {
  return (path, value, expected) => {
    problems.push(wrongTypeProblem(source, [...base, ...path], value, expected))
  }
}

/**
 * Returns the problem for a value of the wrong type. `expected` completes the sentence "expected …"; in JSON Lines the
 * path starts with the line.
 */
export function wrongTypeProblem(
  source: SourceValue,
  path: JsonPath,
  value: unknown,
  expected: string,
): Problem {
  const place = readablePath([...source.basePath, ...path])
  return {
    code: 'wrong_type',
    values: {
      path: source.line === undefined ? place : `line ${source.line}: ${place}`,
      found: describeJson(value),
      expected,
    },
    offset: (source.tree.find(path) ?? source.tree.find(path.slice(0, -1)) ?? source.tree).start,
  }
}
