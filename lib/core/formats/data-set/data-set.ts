/**
 * Rows of data sets whose calls and results are texts of a conversation:
 * - ShareGPT, `from` and `value`: https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md (`function_call`,
 *   `observation`) and https://huggingface.co/datasets/NousResearch/hermes-function-calling-v1 (`<tool_call>`, `tool`);
 * - trajectories of SWE-agent with `role` and `text`: https://huggingface.co/datasets/nebius/SWE-agent-trajectories;
 * - chat messages with calls as XML, `<function=bash>`, or as a code block at the end of an answer:
 *   https://github.com/SWE-bench/SWE-smith (the splits `xml` and `ticks`).
 * A turn is an answer with a call. Calls have no ids and receive them, as `bash-2`; their text is counted once, as content.
 * A result is a message of a tool's role, or the user's message after a call; it answers the first open call, and a
 * message that answers several calls at once is one result, of the first. Every result is text; there are no duplicates.
 * Read beside the messages: `tools` and the model. Trajectories without a call in their text are plain chats.
 * Ignored: `mask`, `cutoff_date`, and code blocks of other chat messages.
 */
import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString, type RawCall } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, membersOf, ownMember, parseJson } from '../../text/json'
import { buildConversation } from '../reading/conversation'
import { createCallIds } from '../reading/create-call-ids'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys } from '../reading/lists'
import { MessageBody, memberText, rawMessage } from '../reading/raw-message'
import ROLES from '../reading/roles.json' with { type: 'json' }

type Called = Pick<RawCall, 'name' | 'arguments'>

/** How a data set writes a message. */
interface Writing {
  readonly role: string
  /** Members with the text; the first that is not empty is used. */
  readonly texts: readonly string[]
  readonly isMarked: (messages: readonly unknown[]) => boolean
  readonly callsIn: (text: string, role: string) => readonly Called[]
  readonly isResult: (role: string, hasOpenCall: boolean) => boolean
}

const RESULT_ROLES: readonly string[] = ['tool', 'observation', 'function_response']
const TAGGED_CALL = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g
const XML_CALL = /<function=([\w.-]+)>([\s\S]*?)<\/function>/g
const BLOCK = /```\w*\r?\n([\s\S]*?)\n?```/g

const SWE_TOOLS = ['str_replace_editor', 'submit']

const isUserAfterCall = (role: string, hasOpenCall: boolean) => role === 'user' && hasOpenCall

const WRITINGS: readonly Writing[] = [
  {
    role: 'from',
    texts: ['value'],
    isMarked: (messages) => messages.some((message) => typeof membersOf(message).from === 'string'),
    callsIn: (text, role) =>
      role === 'function_call' ? jsonCalls(text) : matchesOf(TAGGED_CALL, text).flatMap(jsonCalls),
    isResult: (role) => RESULT_ROLES.includes(role),
  },
  {
    role: 'role',
    texts: ['text', 'system_prompt'],
    isMarked: (messages) => messages.some((message) => membersOf(message).role === 'ai'),
    callsIn: lastBlockCall,
    isResult: isUserAfterCall,
  },
  {
    role: 'role',
    texts: ['content'],
    isMarked: (messages) => mostAnswersEnd(messages, '</function>', XML_CALL),
    callsIn: (text) =>
      [...text.matchAll(XML_CALL)].map(([, name, written = '']) => ({ name, arguments: written })),
    isResult: isUserAfterCall,
  },
  {
    role: 'role',
    texts: ['content'],
    // Answers of any chat can end with a code block; these commands are tools of SWE-agent.
    isMarked: (messages) =>
      mostAnswersEnd(messages, '```', BLOCK) &&
      messages.some((message) =>
        lastBlockCall(contentOf(message)).some(({ name }) => SWE_TOOLS.includes(String(name))),
      ),
    callsIn: lastBlockCall,
    isResult: isUserAfterCall,
  },
]

/** True if calls have no members of their own, and most answers end with one in their text. */
function mostAnswersEnd(messages: readonly unknown[], end: string, call: RegExp): boolean {
  const hasToolRole = messages.some((message) => {
    const { role, tool_calls: calls } = membersOf(message)
    return role === 'tool' || itemsOf(calls).length > 0
  })
  const answers = messages.filter((message) => membersOf(message).role === 'assistant')
  const ended = answers
    .map((message) => contentOf(message).trimEnd())
    .filter((text) => text.endsWith(end) && text.search(call) !== -1)
  // A chat about such calls quotes one now and then; an agent ends nearly every answer with one.
  return !hasToolRole && ended.length * 2 > answers.length
}

function contentOf(message: unknown): string {
  const { content } = membersOf(message)
  return typeof content === 'string' ? content : ''
}

function writingOf(messages: readonly unknown[]): Writing | undefined {
  return WRITINGS.find(
    ({ role, texts, isMarked }) =>
      isMarked(messages) &&
      messages.some((message) => {
        const members = membersOf(message)
        return typeof members[role] === 'string' && texts.some((key) => Object.hasOwn(members, key))
      }),
  )
}

export const dataSet = listFormat({
  id: 'data-set',
  label: 'Data set',
  expects:
    'lists of messages with "from" and "value", with the role "ai" and "text", or with calls as <function=…> or code blocks',
  kind: {
    isMessage: (value) => isJsonObject(value) && typeof (value.from ?? value.role) === 'string',
    hasFormatMarks: (messages) => writingOf(messages) !== undefined,
  },
  marks: (source) => findKeys(source, ['from', 'value', 'role']),
  readList: ({ label, items, owner: { tools, model, model_name: name } = {} }, problems) => {
    const writing = writingOf(items.map(({ value }) => value)) as Writing
    const ids = createCallIds()
    let open: readonly string[] = []
    const placed = readItems(items, problems, (value, place, report) => {
      const role = value[writing.role]
      if (typeof role !== 'string') return undefined
      const body = new MessageBody(report)
      const key = writing.texts.find(
        (found) => value[found] !== null && Object.hasOwn(value, found),
      )
      const said = key === undefined ? [] : memberText(value, key)
      const [text] = said
      const [expected = ''] = writing.texts
      if (text === undefined && value[key ?? ''] !== '')
        report([key ?? expected], value[key ?? expected], 'text')
      const known = ownMember<string>(ROLES.shareGpt, role)
      const isAssistant = known === 'assistant'
      const called = isAssistant ? writing.callsIn(text?.text ?? '', role) : []
      for (const call of called)
        body.calls.push({ ...call, id: ids.idOfCall(undefined, call.name), isInContents: true })
      const [callId, ...others] = open
      const isResult = !isAssistant && writing.isResult(role, callId !== undefined)
      const made = body.calls.map(({ id }) => id as string)
      if (isAssistant) open = [...(role === 'function_call' ? open : []), ...made]
      else open = isResult ? others : []
      if (isResult) body.addResult(callId, said, false)
      else body.contents.push(...said)
      const shownRole = known ?? (isResult ? 'tool' : role)
      return [[{ ...place, raw: { ...rawMessage(shownRole, body), isAssistant } }]]
    })
    return buildConversation(placed, {
      label,
      model: nonEmptyString(model) ?? nonEmptyString(name),
      toolSchemas: typeof tools === 'string' ? tools : argumentsText(tools),
    })
  },
})

function matchesOf(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].map(([, inner = '']) => inner)
}

/** The calls in a JSON text: one, or a list of them. A text that is not JSON is a call without a name. */
function jsonCalls(text: string): readonly Called[] {
  const value = parseJson(text)
  if (value === undefined) return [{ name: undefined, arguments: text }]
  return (Array.isArray(value) ? value : [value]).map((call: unknown) => {
    const { name, arguments: written } = membersOf(call)
    return { name, arguments: argumentsText(written) }
  })
}

/** The command in the last code block, as SWE-agent writes it, named by its first word. */
function lastBlockCall(text: string): readonly Called[] {
  const command = matchesOf(BLOCK, text).at(-1) ?? ''
  const [name] = command.trim().split(/\s/, 1)
  return name === undefined || name === '' ? [] : [{ name, arguments: command }]
}
