/**
 * One `ModelMessage` (`CoreMessage` in version 4): https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 * Results of a provider's own tools are in the assistant message. They are not text: providers accept them only
 * unchanged.
 */

import type { RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath, scalarText, type Unchecked } from '../../text/json-object'
import type { DuplicateString, MessagePiece, SourcePath } from '../reading/build-conversation'
import { emptyBody, rawMessage } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/wrong-type-problem'
import {
  addResult,
  readCall,
  readRawOutput,
  readTypedOutput,
  structuredDuplicates,
  type ToolCallPart,
  type ToolOutput,
} from './ai-sdk-result'
import type { TakeStepCopies } from './ai-sdk-step-copies'

interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly ModelPart[]
}

/** A part of any type. */
interface ModelPart extends ToolCallPart {
  readonly type:
    | 'text'
    | 'reasoning'
    | 'image'
    | 'file'
    | 'tool-call'
    | 'tool-result'
    | 'tool-approval-response'
  readonly text?: string
  // In `tool-result`:
  /** An object with a type. */
  readonly output?: object
  /** Name of `output` in version 4. */
  readonly result?: unknown
  readonly isError?: boolean
  /** A copy of the result in version 4; prompts for providers have it as `content`. */
  readonly experimental_content?: readonly object[]
  readonly content?: readonly object[]
  // In `tool-approval-response`:
  /** The user's reason for denying the call. */
  readonly reason?: string
}

/** Reads a message at a place; reports parts of the wrong type and skips them. */
export function readModelMessage(
  { role, content }: Unchecked<ModelMessage>,
  place: SourcePath,
  report: ReportWrongType,
  takeStepCopies: TakeStepCopies,
): MessagePiece {
  const body = emptyBody()
  const duplicates: DuplicateString[][] = []
  /** Paths of the reasons for denials, by reason. */
  const reasons = new Map<string, JsonPath>()

  const readResult = (part: Unchecked<ModelPart>, at: JsonPath): void => {
    const output = readOutput(part, at, report)
    const texts = addResult(body, part.toolCallId, output, role === 'assistant')
    const hasTexts = texts.length > 0
    duplicates.push([
      ...contentDuplicates(part, { ...place, path: [...place.path, ...at] }, texts),
      ...(hasTexts ? structuredDuplicates(output, place) : []),
      ...(hasTexts ? takeStepCopies(part.toolCallId, texts) : []),
    ])
  }
  const readPart = (part: Unchecked<ModelPart>, at: JsonPath): void => {
    const { type, text, reason } = part
    switch (type) {
      case 'text':
        if (typeof text === 'string') body.contents.push({ text, path: [...at, 'text'] })
        else report([...at, 'text'], text, 'text')
        break
      case 'reasoning':
        if (typeof text === 'string') body.reasoning.push({ text, path: [...at, 'text'] })
        break
      case 'image':
      case 'file':
        body.nonTextParts++
        break
      case 'tool-call':
        body.calls.push(readCall(part, part.toolName, at, report))
        break
      case 'tool-result':
        readResult(part, at)
        break
      case 'tool-approval-response':
        if (typeof reason === 'string') reasons.set(reason, [...at, 'reason'])
    }
  }

  if (typeof content === 'string') body.contents.push({ text: content, path: ['content'] })
  else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      const at = ['content', index]
      if (isJsonObject(part)) readPart(part, at)
      else report(at, part, 'part_with_type')
    }
  } else if (content !== undefined && content !== null)
    report(['content'], content, 'text_or_list_of_parts')
  for (const [index, { texts, isFlaggedError }] of body.results.entries()) {
    const [first] = texts
    const reason = isFlaggedError && first !== undefined ? reasons.get(first.text) : undefined
    if (reason !== undefined)
      duplicates[index]?.push({ ...place, path: [...place.path, ...reason] })
  }
  return { raw: rawMessage(scalarText(role), body), ...place, duplicates }
}

/** Reads the typed `output` of a result, or the `result` of version 4. */
function readOutput(part: Unchecked<ModelPart>, at: JsonPath, report: ReportWrongType): ToolOutput {
  const { toolCallId: id, result, experimental_content: blocks, isError } = part
  if (typeof id !== 'string') report([...at, 'toolCallId'], id, 'text_id_of_answered_call')
  if (!Object.hasOwn(part, 'result') || Object.hasOwn(part, 'output'))
    return readTypedOutput(part.output, [...at, 'output'], report)
  const output = readRawOutput(result, [...at, 'result'])
  const media = Array.isArray(blocks)
    ? blocks.filter((block) => !isJsonObject(block) || block.type !== 'text')
    : []
  return {
    ...output,
    nonTextParts: output.nonTextParts + media.length,
    isFlaggedError: output.isFlaggedError || isError === true,
  }
}

/** Finds the blocks of a result that repeat its texts. */
function contentDuplicates(
  part: Unchecked<ModelPart>,
  { source, path }: SourcePath,
  texts: readonly RawText[],
): DuplicateString[] {
  return (['experimental_content', 'content'] as const).flatMap((key) => {
    const blocks = part[key]
    if (!Array.isArray(blocks)) return []
    return blocks.flatMap((block, index) =>
      isJsonObject(block) && texts.some(({ text }) => text === block.text)
        ? [{ source, path: [...path, key, index, 'text'] }]
        : [],
    )
  })
}
