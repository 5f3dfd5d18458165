/** Arbitrary documents: generated conversations in every shape that the reader accepts. */
import fc from 'fast-check'
import { nonBlankLines, textStart } from '../text/lines'
import { anyConversation, anyText, type JsonValue } from './chat-messages'
import { anyStyle, type JsonStyle, writeJson } from './write-json'

export interface GeneratedDocument {
  readonly layout: 'json' | 'jsonl'
  readonly text: string
  /** Returns the message lists of a parsed text of this shape. */
  readonly listsOf: (parsed: unknown) => readonly (readonly JsonValue[])[]
}

/** Parses a text to its value, or to a list of the values of its lines; a line that is not JSON stays a string. */
export function parseText(text: string, layout: 'json' | 'jsonl'): unknown {
  if (layout === 'json') return JSON.parse(text.slice(textStart(text)))
  return nonBlankLines(text).map(({ start, end }) => parseLine(text.slice(start, end)))
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

type Messages = readonly JsonValue[]
type Body = { readonly messages: Messages }

interface Shape {
  readonly isLines: boolean
  /** The value of the document, or one value per line. */
  readonly wrap: (lists: readonly Messages[], note: string) => JsonValue
  readonly listsOf: (parsed: never) => readonly Messages[]
}

const LIST: Pick<Shape, 'wrap' | 'listsOf'> = {
  wrap: ([list]) => list ?? [],
  listsOf: (parsed: Messages) => [parsed],
}

const SHAPES: readonly Shape[] = [
  { isLines: false, ...LIST },
  { isLines: true, ...LIST },
  // A request body, and lines of bodies.
  {
    isLines: false,
    wrap: ([list], note) => ({ model: 'gpt-5', messages: list ?? [], metadata: { note } }),
    listsOf: (parsed: Body) => [parsed.messages],
  },
  {
    isLines: true,
    wrap: (lists, note) => [...lists, ...lists].map((messages) => ({ note, messages })),
    listsOf: (parsed: readonly Body[]) => parsed.map(({ messages }) => messages),
  },
  // Lists in a larger document, and one sixty levels down.
  {
    isLines: false,
    wrap: (lists, note) => {
      return { note, runs: lists.map((list, id) => ({ id, trace: [{ 'a/b~': list }] })) }
    },
    listsOf: (parsed: { runs: readonly { trace: readonly [{ 'a/b~': Messages }] }[] }) =>
      parsed.runs.map(({ trace }) => trace[0]['a/b~']),
  },
  {
    isLines: false,
    wrap: ([list]) => nest(list ?? [], 60),
    listsOf: (parsed: JsonValue) => [unnest(parsed, 60)],
  },
]

function nest(value: JsonValue, levels: number): JsonValue {
  return levels === 0 ? value : { down: [nest(value, levels - 1)] }
}

function unnest(value: JsonValue, levels: number): Messages {
  if (levels === 0) return value as Messages
  return unnest((value as { down: readonly JsonValue[] }).down[0] as JsonValue, levels - 1)
}

/** A document of any shape and style, with or without a byte order mark and a final line end. */
export const anyDocument: fc.Arbitrary<GeneratedDocument> = fc
  .record({
    shape: fc.constantFrom(...SHAPES),
    lists: fc.array(anyConversation, { minLength: 1, maxLength: 2 }),
    note: anyText,
    style: anyStyle,
    mark: fc.constantFrom('', '\ufeff'),
    ending: fc.constantFrom('', '\n', '\r\n\r\n'),
  })
  .map(({ shape, lists, note, style, mark, ending }) => {
    const value = shape.wrap(lists, note)
    const body = shape.isLines ? writeLines(value as Messages, style) : writeJson(value, style)
    return {
      layout: shape.isLines ? 'jsonl' : 'json',
      text: `${mark}${body}${ending}`,
      listsOf: shape.listsOf as GeneratedDocument['listsOf'],
    }
  })

function writeLines(values: Messages, style: JsonStyle): string {
  const line = { ...style, indent: '' } as const
  const blank = style.seed % 2 === 0 ? style.lineEnd : ''
  return values
    .map((value, index) => writeJson(value, { ...line, seed: style.seed + index }))
    .join(style.lineEnd + blank)
}
