import type { Problem } from '../../problem'
import type { JsonObject } from '../../text/json'
import { type JsonPath, readablePath } from '../../text/json-path'
import { phrase, type Said, type Words } from '../../words/words'
import type { SourceValue } from './source-document'

/** Names a place in a document; in JSON Lines with its line. */
export function placeOf({ basePath, line }: SourceValue, path: JsonPath): Words {
  const place = readablePath([...basePath, ...path])
  return line === undefined ? place : phrase('line_and_path', { n: line, place })
}

/** Names a list in a document; in JSON Lines after its line. */
export function lineAndPath({ line }: SourceValue, path: JsonPath): Words {
  const place = readablePath(path)
  return line === undefined ? place : phrase('line_and_place', { n: line, place })
}

/** Names an item of a document by its line, or by its path where there are no lines. */
export function lineOrPath({ line }: SourceValue, path: JsonPath): Words {
  return line === undefined ? readablePath(path) : phrase('line', { n: line })
}

/** Names a part of a session: with its line, if it has one, after a compaction or if it is not the main one. */
export function labelAt(
  label: string,
  n: number | undefined,
  isCompacted: boolean,
  isSecondary: boolean,
): Words {
  if (n === undefined) return label
  if (isCompacted) return phrase('after_a_compaction_at', { label, place: phrase('line', { n }) })
  return isSecondary ? phrase('label_and_line', { label, n }) : label
}

/** Reports a value of the wrong type; `expected` completes the sentence "expected ...". */
export type ReportWrongType = (path: JsonPath, value: unknown, expected: Said) => void

type Kind = 'text' | 'list' | 'absent' | 'other'

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return 'list'
  return value === null || value === undefined ? 'absent' : 'other'
}

/** Reports a member that is of none of these kinds; null is absent. */
export function expectKind(
  report: ReportWrongType,
  owner: JsonObject,
  key: string,
  kinds: readonly Kind[],
  expected: Said,
): void {
  if (!kinds.includes(kindOf(owner[key]))) report([key], owner[key], expected)
}

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
  expected: Said,
): Problem {
  return {
    code: 'wrong_type',
    values: {
      path: placeOf(source, path),
      found: describeJson(value),
      expected: typeof expected === 'string' ? phrase(expected) : expected,
    },
    offset: (source.tree.find(path) ?? source.tree.find(path.slice(0, -1)) ?? source.tree).start,
  }
}

/** Describes a JSON value in words, for sentences about what was found. */
export function describeJson(value: unknown): Words {
  if (value === null) return 'null'
  if (value === undefined) return phrase('missing')
  if (Array.isArray(value)) {
    if (value.length === 0) return phrase('empty_list')
    return value.length === 1
      ? phrase('list_of_one')
      : phrase('list_of_n_items', { n: value.length })
  }
  if (typeof value === 'object') {
    const keys = Object.keys(value)
    if (keys.length === 0) return phrase('empty_object')
    const shown = keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 40)))
    return phrase('object_with_keys', { keys: keys.length > 4 ? [...shown, '…'] : shown })
  }
  if (typeof value === 'string') return phrase(value === '' ? 'empty_text' : 'text')
  return typeof value === 'number' ? phrase('number') : String(value)
}
