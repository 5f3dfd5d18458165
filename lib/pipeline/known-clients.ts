/** What the agents people run send beside their messages: the ids of their sessions, and requests for a summary. */
import type { ReadConversation } from '../core/conversation/conversation'
import { type JsonObject, membersOf } from '../core/text/json'
import clients from './known-clients.json' with { type: 'json' }

/** Reads a header of a request by its name in lower case. */
export type HeaderReader = (name: string) => string | undefined

/**
 * The id of the session that a client states: a header, or a member of the body. Codex, opencode and pi send
 * `prompt_cache_key`, Qwen Code sends `metadata.sessionId` to DashScope (QwenLM/qwen-code, provider/dashscope.ts). Gemini
 * CLI states none with an API key.
 */
export function statedSession(body: JsonObject, header: HeaderReader): string | undefined {
  const stated = [
    ...clients.sessionHeaders.map((stated) => header(stated.header)),
    body.prompt_cache_key,
    membersOf(body.metadata).sessionId,
  ]
  return stated.find((id): id is string => typeof id === 'string' && id.trim() !== '')
}

/** Words of the prompts with which clients ask for a summary, each in its system prompt or in its last message. */
const SUMMARY_PROMPTS = clients.summaryPrompts.map(({ words }) => new RegExp(words))

/** Codex states why it sends a request (`x-codex-turn-metadata`), also when the provider itself compacts. */
const CODEX_COMPACTION = /"request_kind":"compaction"/

/** True if a client known by its words asks for a summary that replaces the conversation. */
export function asksForSummary(
  { messages, messageTexts, results, resultTexts }: ReadConversation,
  body: JsonObject,
  header: HeaderReader,
): boolean {
  const metadata = membersOf(body.client_metadata)['x-codex-turn-metadata']
  if (CODEX_COMPACTION.test(String(metadata ?? header('x-codex-turn-metadata')))) return true
  const last = messages.length - 1
  // An agent that reads the source of another one has these words in a result.
  const read = resultTexts.filter((_, at) => results[at]?.message === last).flat().length
  const texts = messageTexts.flatMap(({ role, contents }, at) => {
    if (role === 'system' || role === 'developer') return contents
    const isAsked = at === last && messages[at]?.isAssistant === false
    return isAsked ? contents.slice(0, contents.length - read) : []
  })
  return SUMMARY_PROMPTS.some((words) => texts.some((text) => words.test(text)))
}
