/**
 * Chats exported from ChatGPT, `conversations.json`, one or a list of them. OpenAI documents only how to export them; the
 * shape is that of published exports and of: https://github.com/pionxzh/chatgpt-exporter/blob/main/src/api.ts
 * Each chat is a tree in `mapping`. The path to `current_node` is read; another branch is a conversation of its own where it
 * has results. A turn is an answer with a message to a tool, its `recipient`; the messages of an answer are pieces of one.
 * Calls have no ids and receive them, as `python-1`. A result is a message of role `tool`, and answers the first open call
 * of the tool that it names, or the last one.
 * Thoughts are shown, not counted. Ignored: empty messages and `reasoning_recap`. Usage is not stated; system prompts are
 * empty in exports. Duplicates: strings of `metadata`, such as `aggregate_result`, that repeat the result.
 */
import type { ReadConversation } from '../../conversation/conversation'
import type { RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { createCallIds } from '../reading/create-call-ids'
import type { Format } from '../reading/format'
import { findKeys, type ListItem, linesOf } from '../reading/lists'
import { MessageBody, memberText, rawMessage, type TextsOfContent } from '../reading/raw-message'
import { type ReadLine, readEntries, readTree, type TreeEntry } from '../reading/session-lines'
import type { SourceDocument } from '../reading/source-document'

export const chatgpt: Format<'chatgpt'> = {
  id: 'chatgpt',
  label: 'ChatGPT export',
  expects: 'chats with a "mapping" of nodes, each with a "message" and a "parent"',
  recognise: (source) => {
    const lists = chatsIn(source).length
    const marks = findKeys(source, ['mapping', 'current_node', 'recipient', 'content_type'])
    return lists === 0 ? null : { shape: 'session', lists, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    const conversations = chatsIn(source).flatMap((chat) => readChat(chat, problems))
    return { conversations, problems }
  },
}

function chatsIn(source: SourceDocument): ListItem<JsonObject>[] {
  return linesOf(source).flatMap(({ value, ...place }) => {
    const nodes = Object.values(membersOf(membersOf(value).mapping))
    const isChat = nodes.some((node) => isJsonObject(node) && 'message' in node && 'parent' in node)
    return isJsonObject(value) && isChat ? [{ ...place, value }] : []
  })
}

function readChat(chat: ListItem<JsonObject>, problems: Problem[]): ReadConversation[] {
  const { title, current_node } = chat.value
  const entries = nodesOf(chat)
  const leaf = entries.findIndex(({ value }) => value.id === current_node)
  return readTree(entries, {
    keys: ['id', 'parent'],
    ...(leaf !== -1 && { leaf }),
    ...(typeof title === 'string' && { name: title }),
    isCompaction: () => false,
    read: (path, details) => readEntries(path, details, problems, startReading()),
  })
}

/** The messages of a chat, parents first: an export lists its nodes in any order. */
function nodesOf({ source, path, value }: ListItem<JsonObject>): TreeEntry[] {
  const mapping = membersOf(value.mapping)
  const placed = new Set<string>()
  return Object.keys(mapping).flatMap((start) => {
    const climbed: TreeEntry[] = []
    let id = start
    while (Object.hasOwn(mapping, id) && !placed.has(id)) {
      placed.add(id)
      const { message, parent } = membersOf(mapping[id])
      const value = { ...membersOf(message), id, parent, message }
      climbed.push({ source, path: [...path, 'mapping', id, 'message'], value })
      id = scalarText(parent)
    }
    return climbed.reverse()
  })
}

function startReading(): ReadLine {
  const ids = createCallIds()
  const lastOf = new Map<unknown, string | undefined>()
  let isAnswering = false
  return ({ message, author, content, recipient, metadata }, reportAt, facts) => {
    if (!isJsonObject(message)) {
      // The root of a tree has none.
      if (message !== null && message !== undefined)
        reportAt([])([], message, 'message_with_role_and_content')
      return []
    }
    const { role, name } = membersOf(author)
    const body = new MessageBody(reportAt([]))
    if (typeof role !== 'string') body.report(['author', 'role'], role, 'text')
    if (!isJsonObject(content)) body.report(['content'], content, 'content_with_type')
    const { texts, others } = textsOf(membersOf(content))
    if (role === 'tool') {
      isAnswering = false
      const id = ids.idOfResponse(undefined, name) ?? lastOf.get(name)
      lastOf.set(name, id)
      body.addPartsResult(id, { texts, others }, membersOf(content).content_type === 'system_error')
      return [{ raw: rawMessage('tool', body) }]
    }
    const isAssistant = role === 'assistant'
    if (isAssistant && !isAnswering) ids.startTurn()
    isAnswering = isAssistant
    body.nonTextParts += others
    if (isAssistant && typeof recipient === 'string' && recipient !== 'all') {
      // Code or other free text, so it has no place in which arguments are repaired.
      const written = texts.map(({ text }) => text).join('\n')
      const id = ids.idOfCall(undefined, recipient)
      body.calls.push({ id, name: recipient, arguments: written })
    } else body.contents.push(...texts)
    for (const [at, thought] of itemsOf(membersOf(content).thoughts).entries())
      body.reasoning.push(...memberText(thought, 'content', ['content', 'thoughts', at]))
    if (isAssistant) facts.model ??= membersOf(metadata).model_slug
    if (body.isEmpty) return []
    return [{ raw: rawMessage(scalarText(role), body), isContinued: isAssistant }]
  }
}

/** Members of a content with a text, by its type: code and outputs, pages, what the user told about themselves. */
const TEXT_MEMBERS = [
  ...['text', 'result', 'user_profile', 'user_instructions', 'model_set_context'],
] as const

function textsOf(content: JsonObject): TextsOfContent {
  const texts: RawText[] = TEXT_MEMBERS.flatMap((key) => memberText(content, key, ['content']))
  let others = 0
  for (const [at, part] of itemsOf(content.parts).entries()) {
    const path = ['content', 'parts', at]
    const { text } = membersOf(part)
    if (typeof part === 'string') texts.push(...(part === '' ? [] : [{ text: part, path }]))
    else if (typeof text === 'string') texts.push({ text, path: [...path, 'text'] })
    else others++
  }
  return { texts, others }
}
