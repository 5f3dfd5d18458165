/** Mechanisms of packages that are installed here do what the package does with their exported settings, request by request. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { ModelMessage, PrepareStepFunction } from 'ai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { memoizeFor } from '../memoize-for'
import { load, sourceFolder } from '../share/exports/testing/run-in-packages'
import { testSize } from '../testing/test-size'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES, shortFiles } from '../testing/transcripts'
import { parseJson } from '../text/json'
import { aiSdkPruneMessages } from './ai-sdk-prune-messages'
import type { HistoryMessage, SessionHistory } from './history'
import { langchainJs } from './langchain'
import { defaultSettings, type Mechanism, type MessageEdits, type Settings } from './mechanism'
import { mechanismSteps } from './run-mechanism'
import { historiesOf } from './testing/test-history'
import { writeSettings } from './write-settings'

/** The longest text that is read. */
const MOST = testSize(30_000, 1_000_000)

/** A message as it is sent: its position, its content, and the arguments of its calls. */
type Sent = readonly [at: number, content: string, calls: readonly unknown[]]

/** For all of them on a busy machine. */
const TIMEOUT = 600_000

const histories: (readonly [string, SessionHistory])[] = []
beforeAll(() => {
  for (const file of shortFiles([...SAMPLE_FILES, ...CORPUS_FILES], MOST)) {
    const text = readTranscript(file)
    if (text.length > MOST) continue
    for (const history of historiesOf(text)) histories.push([file.name, history])
  }
}, TIMEOUT)

const folder = sourceFolder('real-packages')
afterAll(folder.end)

/** What the settings are as code of the package. */
async function exported(mechanism: Mechanism, settings: Settings): Promise<unknown> {
  const { text = '' } = writeSettings(mechanism, settings) ?? {}
  return Object.values(await load(folder.write(text)))[0]
}

/** What a request with these edits sends; calls whose arguments are no JSON are left out where a package has no place for them. */
function sentBy({ messages }: SessionHistory, end: number, edits: MessageEdits): Sent[] {
  return messages.slice(0, end).flatMap((message, at): Sent[] => {
    const { isRemoved, content = message.content, calls = {} } = edits.get(at) ?? {}
    if (isRemoved) return []
    const written = message.calls.flatMap((call, position) => {
      const text = calls[position] === undefined ? call.arguments : calls[position]
      return text === null ? [] : [text]
    })
    return [[at, content, written]]
  })
}

/** Compares each request of all histories; returns how many of them the mechanism changed. */
async function compare<State>(
  mechanism: Mechanism<State>,
  settings: Settings,
  startPackage: () => (history: SessionHistory, end: number) => Promise<Sent[]> | Sent[],
  shown: (sent: Sent, message: HistoryMessage) => Sent[],
): Promise<number> {
  let changed = 0
  for (const [name, history] of histories) {
    const send = startPackage()
    let request = 0
    for (const { edits } of mechanismSteps(history, mechanism, settings)) {
      const end = history.ends[request++] as number
      const ours = sentBy(history, end, edits).flatMap((one) =>
        shown(one, history.messages[one[0]] as HistoryMessage),
      )
      expect(ours, `${name}, request ${request}`).toEqual(await send(history, end))
      if (edits.size > 0) changed++
    }
  }
  return changed
}

describe('ClearToolUsesEdit of LangChain', () => {
  const toMessage = (message: HistoryMessage, at: number): BaseMessage => {
    const response_metadata = { at }
    const { role, content, callId = '' } = message
    if (role === 'tool')
      return new ToolMessage({ content, tool_call_id: callId, response_metadata })
    if (role === 'user') return new HumanMessage({ content, response_metadata })
    const tool_calls = message.calls.flatMap(({ id = '', name, arguments: written }) => {
      const args = parseJson(written)
      return args === undefined
        ? []
        : [{ name, args: args as Record<string, unknown>, id, type: 'tool_call' as const }]
    })
    return new AIMessage({ content, tool_calls, response_metadata })
  }
  const fromMessage = (message: BaseMessage): Sent => [
    message.response_metadata.at as number,
    message.text,
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ args }) => args) : [],
  ]

  it.each<Settings>([
    { 'trigger.tokens': 1_000, 'keep.messages': 3 },
    { 'trigger.tokens': 5_000, 'keep.messages': 1, clearToolInputs: true },
    { 'trigger.tokens': 2_000, 'keep.messages': 5, clearAtLeast: 1_000, persisted: true },
    { 'trigger.tokens': 2_000, 'keep.messages': 2, clearToolInputs: true, persisted: true },
    {
      'trigger.tokens': 500,
      'trigger.messages': 9,
      'keep.messages': 3,
      excludeTools: ['Bash', 'bash', 'read'],
    },
  ])('%o', { timeout: TIMEOUT }, async (chosen) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const settings = { ...defaultSettings(langchainJs), ...chosen }
    const { wrapModelCall } = (await exported(langchainJs, settings)) as {
      wrapModelCall(request: object, handler: () => void): Promise<void>
    }
    const startPackage = () => {
      let [kept, known]: [BaseMessage[], number] = [[], 0]
      return async ({ messages: all }: SessionHistory, end: number) => {
        const from = settings.persisted === true ? known : 0
        const added = all
          .slice(from, end)
          .flatMap((message, index) =>
            message.role === 'system'
              ? []
              : [memoizeFor(message, toMessage, () => toMessage(message, from + index))],
          )
        const messages = from === 0 ? added : [...kept, ...added]
        await wrapModelCall({ messages }, () => {})
        ;[kept, known] = [messages, end]
        return messages.map(fromMessage)
      }
    }
    const changed = await compare(
      langchainJs,
      settings,
      startPackage,
      ([at, content, calls], { role }) =>
        role === 'system'
          ? []
          : [
              [
                at,
                content,
                calls
                  .map(String)
                  .map(parseJson)
                  .filter((one) => one !== undefined),
              ],
            ],
    )
    expect(changed).toBeGreaterThan(20)
  })
})

describe('pruneMessages of the AI SDK', () => {
  /** Messages with the position of each part. Results in a row are one message. */
  const toMessages = (all: readonly HistoryMessage[]): ModelMessage[] => {
    const messages: ModelMessage[] = []
    for (const [at, { role, content, calls, callId = '', toolName = '' }] of all.entries()) {
      const providerOptions = { here: { at } }
      if (role === 'tool') {
        const result = {
          ...({ type: 'tool-result', toolCallId: callId, toolName } as const),
          output: { type: 'text', value: content } as const,
          providerOptions,
        }
        const last = messages.at(-1)
        if (last?.role === 'tool') last.content.push(result)
        else messages.push({ role, content: [result] })
      } else if (role === 'assistant') {
        const asked = calls.map(({ id = '', name, arguments: input }) => {
          return { type: 'tool-call', toolCallId: id, toolName: name, input } as const
        })
        const text = content === '' ? [] : [{ type: 'text', text: content } as const]
        messages.push({ role, content: [...text, ...asked], providerOptions })
      } else messages.push({ role, content, providerOptions })
    }
    return messages
  }
  const fromMessage = ({ role, content, providerOptions }: ModelMessage): Sent[] => {
    const at = providerOptions?.here?.at as number
    if (typeof content === 'string') return [[at, content, []]]
    if (role === 'tool')
      return content.flatMap((part): Sent[] => {
        if (part.type !== 'tool-result' || part.output.type !== 'text') return []
        return [[part.providerOptions?.here?.at as number, part.output.value, []]]
      })
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
    return [[at, texts.join(''), calls]]
  }

  it.each<Settings>([
    { toolCalls: 'none' },
    { toolCalls: 'none', tools: ['read'] },
    { toolCalls: 'all' },
    { toolCalls: 'before-last-message' },
    { toolCalls: 'before-last-5-messages' },
    { toolCalls: 'before-last-3-messages', emptyMessages: 'keep' },
    { toolCalls: 'before-last-10-messages', tools: ['Bash', 'bash', 'read'] },
  ])('%o', { timeout: TIMEOUT }, async (chosen) => {
    const settings = { ...defaultSettings(aiSdkPruneMessages), ...chosen }
    const prepareStep = (await exported(aiSdkPruneMessages, settings)) as PrepareStepFunction
    const startPackage = () => async (history: SessionHistory, end: number) => {
      const messages = toMessages(history.messages.slice(0, end))
      const prepared = await prepareStep({ messages } as Parameters<PrepareStepFunction>[0])
      return prepared?.messages?.flatMap(fromMessage) ?? []
    }
    const changed = await compare(aiSdkPruneMessages, settings, startPackage, (one) => [one])
    if (chosen.toolCalls !== 'none') expect(changed).toBeGreaterThan(20)
  })
})
