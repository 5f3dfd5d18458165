import { ReadError } from '../../problem'
import { isJsonObject, type JsonObject } from '../../text/json-object'
import type { WordKey } from '../../words/words'
import type { SourceDocument } from './source-document'
import { wrongTypeProblem } from './wrong-type-problem'

/** Returns the error for the first request body that has something other than a list of messages under `key`. */
export function findMisplacedMessages(
  source: SourceDocument,
  isBody: (value: JsonObject) => boolean,
  key = 'messages',
  expected: WordKey = 'list_of_messages_with_role',
): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, key) || !isBody(value)) continue
    const problem = wrongTypeProblem(from, [key], value[key], expected)
    return new ReadError(problem.code, problem.values, problem.offset)
  }
  return undefined
}
