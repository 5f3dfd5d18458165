import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonPath } from '../../text/json-object'
import type { SourceDocument, SourceValue } from './source-document'
import { placeOf } from './wrong-type-problem'

/** Keys of a request that declare or choose tools; a request without calls has them too. */
const DECLARATION =
  /^(?:(?:(?:available|allowed|disallowed)_?)?tools|functions|function_?declarations|tool_?(?:choice|config)|(?:parallel|max|num)_?tool_?calls)$/i
const TOOL_WORD = /tool|function_?(?:call|response)/i
/** Results that agents such as Cline write into a text of the user; a path can have brackets. */
const TEXT_OF_RESULT = /^\[[\w-]+(?: for [^\n]*)?\] Result:/

/**
 * Returns a problem for a document without a turn and without a result, where a role, a type, a key or a text names a
 * tool: its calls have a shape that no format reads.
 */
export function findUnreadTools(
  { values }: SourceDocument,
  conversations: readonly ReadConversation[],
): Problem[] {
  if (conversations.some(({ turnCount, results }) => turnCount > 0 || results.length > 0)) return []
  for (const source of values) {
    const path = pathOfTool(source.value, [])
    if (path !== undefined) return [unreadTools(source, path)]
  }
  return []
}

function pathOfTool(value: unknown, path: JsonPath): JsonPath | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = pathOfTool(item, [...path, index])
      if (found !== undefined) return found
    }
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (DECLARATION.test(key)) continue
      const at = [...path, key]
      if (isToolMember(key, member)) return at
      const found = pathOfTool(member, at)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** True if the key names a tool and has a value, if a role or type does, or if a text is the result of a tool. */
function isToolMember(key: string, member: unknown): boolean {
  if (typeof member === 'string' && (key === 'role' || key === 'type'))
    return TOOL_WORD.test(member)
  if (typeof member === 'string' && TEXT_OF_RESULT.test(member)) return true
  const isEmpty =
    typeof member === 'object' ? Object.keys(member ?? {}).length === 0 : typeof member !== 'string'
  return !isEmpty && TOOL_WORD.test(key)
}

function unreadTools(source: SourceValue, path: JsonPath): Problem {
  return {
    code: 'unread_tools',
    values: { path: placeOf(source, path) },
    offset: source.tree.find(path)?.start,
  }
}
