import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject } from '../../text/json-object'
import { type JsonPath, readablePath } from '../../text/json-pointer'
import { rawOffset, type SourceDocument, type SourceValue } from './source-document'

/** Declarations of tools, which a request has without calls too. */
const DECLARATIONS = /^(?:tools|functions|function_declarations|functionDeclarations|tool_?choice|tool_?config|parallel_tool_calls|available_?tools|allowed_?tools|disallowed_?tools)$/i
const TOOL_WORD = /tool|function_?call/i
/** Results that Cline and Roo write into a text of the user, and their calls in XML. */
const TOOL_TEXT = /^\[[\w-]+(?: for [^\]\n]*)?\] Result:/

/**
 * Returns a problem for a document that has no turn and no result, although a role, a type, a key or a text speaks of
 * tools: its calls have a shape that no format reads.
 */
export function findUnreadTools(
  { values }: SourceDocument,
  conversations: readonly ReadConversation[],
): Problem[] {
  if (conversations.some(({ turnCount, results }) => turnCount > 0 || results.length > 0)) return []
  for (const source of values) {
    const path = pathOfTool(source.value, [])
    if (path !== undefined) return [problemAt(source, path)]
  }
  return []
}
