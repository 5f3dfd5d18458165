/** What the agents people run send beside their messages: the ids of their sessions, and requests for a summary. */
import type { ReadConversation } from '../core/conversation/conversation'
import { type JsonObject, membersOf } from '../core/text/json'

/** Reads a header of a request by its name in lower case. */
export type HeaderReader = (name: string) => string | undefined

/** Headers with the id of a session, by client, with what says so. */
const SESSION_HEADERS = [
  // Claude Code: code.claude.com/docs/en/llm-gateway-protocol, "Request headers".
  'x-claude-code-session-id',
  // opencode and Kilo: anomalyco/opencode, packages/opencode/src/session/llm/request.ts.
  ...['x-opencode-session', 'x-session-affinity', 'x-session-id'],
  // Codex: openai/codex, codex-rs/codex-api/src/requests/headers.rs; the older name has an underscore.
  ...['session-id', 'session_id'],
  // Copilot CLI: in the lists of headers of gateways for it; its source is not public.
  'x-client-session-id',
] as const

/**
 * The id of the session that a client states: a header, or a member of the body. Codex, opencode and pi send
 * `prompt_cache_key`, Qwen Code sends `metadata.sessionId` to DashScope (QwenLM/qwen-code, provider/dashscope.ts). Gemini
 * CLI states none with an API key.
 */
export function statedSession(body: JsonObject, header: HeaderReader): string | undefined {
  const stated = [
    ...SESSION_HEADERS.map(header),
    body.prompt_cache_key,
    membersOf(body.metadata).sessionId,
  ]
  return stated.find((id): id is string => typeof id === 'string' && id.trim() !== '')
}

/** Words of the prompts with which clients ask for a summary, each in its system prompt or in its last message. */
const SUMMARY_PROMPTS: readonly RegExp[] = [
  // Claude Code and Cline.
  /Your task is to create a detailed summary of /,
  // Codex: codex-rs/core/templates/compact/prompt.md.
  /CONTEXT CHECKPOINT COMPACTION/,
  // opencode and Kilo, agent/prompt/compaction.txt and session/compaction.ts: newer and older versions.
  /anchored context summarization|anchored summary from the conversation history/,
  /summarizing a conversation for continuation|continuing our conversation above/,
  // Gemini CLI, prompts/snippets.ts, and Qwen Code, services/chatCompressionService.ts.
  /distilling chat history into a structured XML|(?:generate|produce) the (?:updated )?<state_snapshot>/,
]

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
