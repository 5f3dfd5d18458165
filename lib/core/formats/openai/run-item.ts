/** An item of the OpenAI Agents SDK, which names some items of the Responses API otherwise, as its sessions list them too. */
import type { RawMessage } from '../../conversation/link-messages'
import { isJsonObject } from '../../text/json'
import { memberOf } from '../gemini/gemini-parts'
import { mapPaths, memberText } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'
import type { createItemReader } from './response-item'

/** Types of items that are called otherwise in the Responses API. */
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['function_call_result', 'function_call_output'],
  ['computer_call_result', 'computer_call_output'],
  ['hosted_tool_call', 'mcp_call'],
  ['program', 'program_call'],
])

/** Reads an item by its name in the Responses API; undefined for a value that is not an item. */
export function readRunItem(
  value: unknown,
  readItem: ReturnType<typeof createItemReader>,
  report: ReportWrongType,
): RawMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  const id = memberOf(value, 'callId')
  const item = {
    ...value,
    type: TYPES.get(type) ?? type,
    call_id: id?.value,
    ...(type === 'program' && { arguments: value.code }),
    ...(type === 'program_output' && { output: null }),
  }
  const written = (step: string | number) => (step === 'call_id' ? (id?.key as string) : step)
  const raw = readItem(item, (path, found, expected) => report(path.map(written), found, expected))
  if (raw === undefined) return undefined
  if (type === 'program') return mapPaths(raw, () => ['code'])
  if (type === 'program_output')
    return { ...raw, contents: [...memberText(value, 'result'), ...memberText(value, 'output')] }
  // JavaScript writes every text as an object.
  const results = raw.results.map((result) =>
    isJsonObject(value.output) && result.shape === 'text_parts'
      ? { ...result, shape: 'text' as const }
      : result,
  )
  return { ...raw, results }
}
