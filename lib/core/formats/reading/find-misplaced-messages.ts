import { ReadError } from '../../problem'
import { isJsonObject, type JsonObject } from '../../text/json-object'
import type { SourceDocument } from './source-document'
import { wrongTypeProblem } from './wrong-type-problem'

/** Returns the error for the first request body that has something other than a list of messages under `key`. */
export function findMisplacedMessages(
  source: SourceDocument,
  isBody: (value: JsonObject) => boolean,
  key = 'messages',
  expected = 'a list of messages, objects with a "role"',
): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, key) || !isBody(value)) continue
    const problem = wrongTypeProblem(from, [key], value[key], expected)
    return new ReadError(problem.code, problem.values, problem.offset)
  }
  return undefined
}
