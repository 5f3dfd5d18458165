/**
 * Links calls and results that have no ids, as in requests to Ollama, whose results name their tool, and with the older
 * `function_call`, which is answered by a message of role `function`:
 * https://docs.ollama.com/capabilities/tool-calling, https://platform.openai.com/docs/api-reference/chat/create
 * Only if no call of the conversation has an id: turns of Schema 1 are then none, so theirs do not change. A result
 * answers the first open call of its tool in the last message with calls before it; without a name, the first open call.
 */
import { nonEmptyString, type RawMessage } from './link-messages'

/** Gives each call a number, and each result the number of its call. A message that answers a call becomes its result. */
export function linkByOrder(messages: readonly RawMessage[]): readonly RawMessage[] {
  const calls = messages.flatMap((message) => message.calls)
  if (calls.some(({ id }) => nonEmptyString(id) !== undefined)) return messages
  let numbered = 0
  let open: { readonly name: unknown; readonly link: number }[] = []
  return messages.map((message): RawMessage => {
    if (message.isAssistant && message.calls.length > 0) {
      const linked = message.calls.map((call) => ({ ...call, link: numbered++ }))
      open = [...linked]
      return { ...message, calls: linked }
    }
    const result = message.results[0] ?? message.functionResult
    if (result === undefined || nonEmptyString(result.callId) !== undefined) return message
    const stated = nonEmptyString(result.toolName)
    const at = open.findIndex(({ name }) => stated === undefined || name === stated)
    const [call] = at === -1 ? [] : open.splice(at, 1)
    if (call === undefined) return message
    const isContent = result.shape === 'other'
    const contents = isContent ? message.contents : []
    return { ...message, contents, results: [{ ...result, link: call.link }] }
  })
}
