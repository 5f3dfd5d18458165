/** Runs exported source in its target packages on chat messages, and returns which results it cleared. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { generateText, type ModelMessage } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))

interface ChatMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
}

/** By call id, the text that replaced its result. */
export type Cleared = ReadonlyMap<string, string>

type Run = (path: string, messages: readonly ChatMessage[]) => Promise<Cleared>

/** A folder of source files inside the project, so that packages resolve. `end` removes it. */
export function sourceFolder(name: string) {
  const folder = join(ROOT, 'test-results', `${name}-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let count = 0
  return {
    folder,
    write: (text: string, ending = 'ts'): string => {
      const path = join(folder, `export-${count++}.${ending}`)
      // The package is built from these sources; its own test runs exports in the package.
      const own = text.replace(/'observation-masking(\/?\w*)'/, "'../../lib/pipeline$1'")
      writeFileSync(path, own.replace("'observation-masking/fetch'", "'../../lib/pipeline/fetch'"))
      return path
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The exports of a source file. */
export async function load(path: string): Promise<Record<string, unknown>> {
  return import(/* @vite-ignore */ pathToFileURL(path).href)
}

const callsOf = (messages: readonly ChatMessage[]) =>
  messages.flatMap(({ tool_calls }) => tool_calls ?? [])
const toolOf = (messages: readonly ChatMessage[], id: string | undefined) =>
  callsOf(messages).find((call) => call.id === id)?.function.name ?? 'unknown'

/** The messages in the AI SDK's format, without instructions, which are a separate option. */
export function aiSdkMessages(messages: readonly ChatMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    const text = String(message.content ?? '')
    if (message.role === 'user') return [{ role: 'user', content: text }]
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.function.name,
        input: JSON.parse(call.function.arguments),
      }))
      const texts = text === '' ? [] : [{ type: 'text' as const, text }]
      return [{ role: 'assistant', content: [...texts, ...calls] }]
    }
    if (message.role !== 'tool') return []
    const toolCallId = message.tool_call_id as string
    const output = { type: 'text' as const, value: text }
    const toolName = toolOf(messages, toolCallId)
    return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }]
  })
}

/** Sends the messages through `generateText` with the exported `prepareStep`, and reads what the model received. */
export const runInAiSdk: Run = async (path, messages) => {
  const { prepareStep } = await load(path)
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 }
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: { inputTokens: none, outputTokens: none },
      warnings: [],
    },
  })
  const prompt = aiSdkMessages(messages)
  await generateText({ model, messages: prompt, prepareStep: prepareStep as never })
  const sent = model.doGenerateCalls[0]?.prompt ?? []
  const outputs = sent.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const texts = outputs.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'text'
      ? [[part.toolCallId, part.output.value] as const]
      : [],
  )
  return clearedOf(messages, texts)
}

/** The messages in LangChain's format. */
export function langchainMessages(messages: readonly ChatMessage[]): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    const content = String(message.content ?? '')
    if (message.role === 'user') return [new HumanMessage(content)]
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        args: JSON.parse(call.function.arguments) as Record<string, unknown>,
      }))
      return [new AIMessage({ content, tool_calls: calls })]
    }
    if (message.role !== 'tool') return []
    return [new ToolMessage({ content, tool_call_id: message.tool_call_id as string })]
  })
}

/** A model that answers one word and records what it received. */
class Recorder extends BaseChatModel {
  readonly sent: BaseMessage[][] = []

  constructor() {
    super({})
  }

  override _llmType() {
    return 'recorder'
  }

  override bindTools() {
    return this
  }

  override async _generate(messages: BaseMessage[]) {
    this.sent.push(messages)
    return { generations: [{ text: 'done', message: new AIMessage('done') }] }
  }
}

/** Runs a LangGraph agent with the exported hook. */
export const runInLanggraph: Run = async (path, messages) => {
  const { preModelHook } = await load(path)
  const llm = new Recorder()
  const agent = createReactAgent({ llm, tools: [], preModelHook: preModelHook as never })
  await agent.invoke({ messages: langchainMessages(messages) })
  return clearedOf(messages, resultsSentTo(llm))
}

function resultsSentTo({ sent }: Recorder): (readonly [string, string])[] {
  return (sent[0] ?? []).flatMap((message) =>
    ToolMessage.isInstance(message)
      ? [[message.tool_call_id, String(message.content)] as const]
      : [],
  )
}

function clearedOf(
  messages: readonly ChatMessage[],
  sent: readonly (readonly [id: string, text: string])[],
): Cleared {
  const before = new Map(
    messages.map(({ tool_call_id, content }) => [tool_call_id, String(content ?? '')]),
  )
  return new Map(sent.filter(([id, text]) => before.get(id) !== text))
}
