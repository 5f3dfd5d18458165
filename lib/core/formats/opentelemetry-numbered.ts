/**
 * Messages spread over numbered attributes, each text a string of its own: OpenLLMetry's `gen_ai.prompt.0.content`
 * (https://www.traceloop.com/docs/openllmetry) and OpenInference's `llm.input_messages.0.message.content`
 * (https://arize-ai.github.io/openinference/spec/). They are chat completions once put together.
 */
import { readChatMessage } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import type { MessagePiece, PlacedMessage } from './build-conversation'
import type { PlainValue } from './opentelemetry-attributes'
import { withPaths } from './raw-message'
import type { SourceValue } from './source-document'

const MESSAGE = /^(?:gen_ai\.prompt|llm\.input_messages)\.(\d{1,6})\.(?:message\.)?(.+)$/
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/

/** Whether a key is one of a numbered message. */
export function isNumberedKey(key: string): boolean {
  return MESSAGE.test(key)
}

interface NumberedMessage {
  readonly fields: Map<string, PlainValue>
  readonly calls: Map<number, Map<string, PlainValue>>
}

/** The messages of a span's numbered attributes in order; none where it has no such keys. */
export function readNumbered(
  source: SourceValue,
  path: JsonPath,
  attributes: ReadonlyMap<string, PlainValue>,
): PlacedMessage[] {
  const messages = new Map<number, NumberedMessage>()
  for (const [key, attribute] of attributes) {
    const [, number, field = ''] = MESSAGE.exec(key) ?? []
    if (number === undefined) continue
    const message = messages.get(Number(number)) ?? { fields: new Map(), calls: new Map() }
    messages.set(Number(number), message)
    const [, callNumber, member] = CALL.exec(field) ?? []
    if (callNumber === undefined || member === undefined) {
      message.fields.set(field, attribute)
      continue
    }
    const call = message.calls.get(Number(callNumber)) ?? new Map<string, PlainValue>()
    message.calls.set(Number(callNumber), call)
    call.set(member, attribute)
  }
  return inOrder(messages).flatMap(([, message]): PlacedMessage[] => {
    const piece = readOne(source, path, message)
    return piece === undefined ? [] : [[piece]]
  })
}

function readOne(
  source: SourceValue,
  path: JsonPath,
  { fields, calls }: NumberedMessage,
): MessagePiece | undefined {
  const text = (key: string) => fields.get(key)?.value
  const ordered = inOrder(calls).map(([, call]) => call)
  const made = ordered.map((call) => ({
    id: call.get('id')?.value,
    function: { name: call.get('name')?.value, arguments: call.get('arguments')?.value },
  }))
  const raw = readChatMessage({
    role: text('role'),
    content: text('content') ?? null,
    tool_call_id: text('tool_call_id'),
    ...(made.length > 0 && { tool_calls: made }),
  })
  if (raw === undefined) return undefined
  const write = (at: JsonPath): JsonPath => {
    const [key, call] = at
    const attribute =
      key === 'tool_calls' ? ordered[Number(call)]?.get('arguments') : fields.get(String(key))
    return attribute === undefined
      ? []
      : [...attribute.path.slice(path.length), ...attribute.write([])]
  }
  return { raw: withPaths(raw, write), source, path }
}

function inOrder<Value>(numbered: ReadonlyMap<number, Value>): [number, Value][] {
  return [...numbered].sort(([a], [b]) => a - b)
}
