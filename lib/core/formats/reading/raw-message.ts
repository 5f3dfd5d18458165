import { argumentsText } from '../../conversation/chat-message'
import type { RawCall, RawMessage, RawResult, RawText } from '../../conversation/link-messages'
import { NO_MESSAGE, nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { type JsonPath, visitStrings } from '../../text/json-path'
import type { Said } from '../../words/words'
import type { ReportWrongType } from './report'

/** Creates a raw message; what a format does not have is empty. */
export function rawMessage(
  role: string,
  { isAssistant = role === 'assistant', ...members }: Partial<Omit<RawMessage, 'role'>> = {},
): RawMessage {
  return { ...NO_MESSAGE, role, isAssistant, ...members }
}

/** The names that a format gives the id, the name and the arguments of a call. */
export type CallKeys = readonly [id: string, name: string, written: string]

/** The fields of a message that are filled part by part. Its paths are relative to the message. */
export class MessageBody {
  readonly contents: RawText[] = []
  readonly reasoning: RawText[] = []
  readonly calls: RawCall[] = []
  readonly results: RawResult[] = []
  nonTextParts = 0
  readonly #report: ReportWrongType

  constructor(report: ReportWrongType) {
    this.#report = report
  }

  get isEmpty(): boolean {
    const { contents, calls, reasoning, nonTextParts } = this
    return contents.length + calls.length + reasoning.length + nonTextParts === 0
  }

  report(path: JsonPath, value: unknown, expected: Said): void {
    this.#report(path, value, expected)
  }

  /** Adds the member `text`, which must be a text. */
  addText(owner: JsonObject, path: JsonPath, key = 'text'): void {
    const text = owner[key]
    if (typeof text === 'string') this.contents.push({ text, path: [...path, key] })
    else this.report([...path, key], text, 'text')
  }

  /** Reads a content: a text, or a list of parts. */
  addContent(
    content: unknown,
    path: JsonPath,
    expected: Said,
    readPart: (part: unknown, path: JsonPath) => void,
  ): void {
    if (typeof content === 'string') this.contents.push({ text: content, path })
    else if (!Array.isArray(content)) this.report(path, content, expected)
    else for (const [index, part] of content.entries()) readPart(part, [...path, index])
  }

  /** Reads the objects in a list; what is no object is reported. */
  eachObject(
    list: unknown,
    path: JsonPath,
    expected: Said,
    read: (item: JsonObject, path: JsonPath) => void,
  ): void {
    for (const [index, item] of itemsOf(list).entries()) {
      if (isJsonObject(item)) read(item, [...path, index])
      else this.report([...path, index], item, expected)
    }
  }

  /** Adds the call at a path; reports an id that is missing, unless none is expected. */
  addCall(call: JsonObject, path: JsonPath, keys: CallKeys, expected: Said | null = 'id'): void {
    const [id, name, written] = keys
    if (expected !== null) this.requireId(call[id], [...path, id], expected)
    this.calls.push({
      id: call[id],
      name: call[name],
      arguments: argumentsText(call[written]),
      ...(call[written] !== undefined && { path: [...path, written] }),
    })
  }

  requireId(id: unknown, path: JsonPath, expected: Said): void {
    if (nonEmptyString(id) === undefined) this.report(path, id, expected)
  }

  /** Adds a result; without texts it cannot be masked. */
  addResult(
    callId: unknown,
    texts: readonly RawText[],
    isFlaggedError: boolean,
    more: Partial<RawResult> = {},
  ): void {
    const shape = texts.length > 0 ? 'text' : 'other'
    this.results.push({ callId, shape, texts, isFlaggedError, ...more })
  }

  /** Adds a result that is one text at a path. */
  addTextResult(callId: unknown, text: unknown, path: JsonPath, isFlaggedError: boolean): void {
    if (typeof text !== 'string') this.report(path, text, 'text')
    this.addResult(callId, typeof text === 'string' ? [{ text, path }] : [], isFlaggedError)
  }

  /** Adds a result of text parts, which masking leaves as one text and fillers; its other parts stay. */
  addPartsResult(callId: unknown, content: TextsOfContent, isFlaggedError: boolean): void {
    this.nonTextParts += content.others
    const texts = withoutEmptyParts(content.texts)
    this.addResult(callId, texts, isFlaggedError, { filler: EMPTY_PART_TEXT })
  }

  /** Adds a result of text parts; with other parts among them it is content, and cannot be masked. */
  addWholeResult(callId: unknown, content: TextsOfContent, isFlaggedError: boolean): void {
    const isText = content.others === 0
    if (!isText) this.contents.push(...content.texts)
    const texts = isText ? content.texts : []
    this.addPartsResult(callId, { ...content, texts }, isFlaggedError)
  }
}

/** Returns the message with every path prefixed by `below`. */
export function prefixPaths(raw: RawMessage, below: JsonPath): RawMessage {
  return mapPaths(raw, (path) => [...below, ...path])
}

/** Returns the message with every path replaced by `write(path)`. */
export function mapPaths(raw: RawMessage, write: (path: JsonPath) => JsonPath): RawMessage {
  const moved = <Item extends { readonly path?: JsonPath }>(item: Item): Item =>
    item.path === undefined ? item : { ...item, path: write(item.path) }
  return {
    ...raw,
    contents: raw.contents.map(moved),
    reasoning: raw.reasoning.map(moved),
    calls: raw.calls.map(moved),
    results: raw.results.map((result) => ({ ...result, texts: result.texts.map(moved) })),
  }
}

/** Returns the texts in a list of blocks at a path, those of blocks `{ type: 'text', text }`; nothing for other values. */
export function textBlocks(blocks: unknown, path: JsonPath): RawText[] {
  return itemsOf(blocks).flatMap((block, index) =>
    membersOf(block).type === 'text' ? textAt(block, 'text', [...path, index]) : [],
  )
}

export type TextsOfContent = Readonly<ReturnType<typeof textsOfContent>>

/** Returns the texts of a content that is a text or a list of parts, and the number of parts without a text. */
export function textsOfContent(content: unknown, path: JsonPath) {
  if (typeof content === 'string') return { texts: [{ text: content, path }], others: 0 }
  const texts = textBlocks(content, path)
  return { texts, others: itemsOf(content).length - texts.length }
}

/** Returns the text of a member of an object, even an empty one; nothing unless it is a string. */
export function textAt(value: unknown, key: string, below: JsonPath): RawText[] {
  const text = membersOf(value)[key]
  return typeof text === 'string' ? [{ text, path: [...below, key] }] : []
}

/** Returns the text of a member of an object; nothing unless it is a non-empty string. */
export function memberText(value: unknown, key: string, below: JsonPath = []): RawText[] {
  return textAt(value, key, below).filter(({ text }) => text !== '')
}

/** Replaces every text block but the first of a masked result, since APIs refuse an empty block. */
export const EMPTY_PART_TEXT = '…'

/** Returns the texts without those that masking left as fillers; the first always stays. */
export function withoutEmptyParts(texts: readonly RawText[]): RawText[] {
  return texts.filter(({ text }, index) => index === 0 || text !== EMPTY_PART_TEXT)
}

/** Returns the texts that are not empty; if all are, the first. */
export function withoutEmptyTexts(texts: readonly RawText[]): readonly RawText[] {
  const filled = texts.filter(({ text }) => text !== '')
  return filled.length > 0 ? filled : texts.slice(0, 1)
}

/** Puts the longest text first, and drops empty ones unless all are empty. */
export function longestFirst(texts: readonly RawText[]): readonly RawText[] {
  const [first, ...others] = withoutEmptyTexts(texts)
  if (first === undefined) return []
  const longest = others.reduce(
    (best, text) => (text.text.length > best.text.length ? text : best),
    first,
  )
  return [longest, ...[first, ...others].filter((text) => text !== longest)]
}

/**
 * Reads the strings of a result that is a JSON value because its format always writes one: the non-empty ones, the longest
 * first and the others in document order; if all are empty, the first. Masking replaces only them, so the result still matches
 * its tool's schema: the longest string becomes the placeholder, the others become empty. `frame` is what masking leaves in
 * the request: the value as JSON with empty strings.
 */
export function structuredResult(value: unknown, path: JsonPath) {
  const texts: RawText[] = []
  visitStrings(value, path, (text, at) => texts.push({ text, path: at }))
  const frame = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? '' : inner,
  )
  return { texts: longestFirst(texts), frame: frame ?? '' }
}
