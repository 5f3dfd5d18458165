/** Ways in which models break JSON: each writes a value as text that is not JSON but has the same meaning. */

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

interface Style {
  readonly key: (name: string) => string
  readonly text: (content: string) => string
  readonly number: (value: number) => string
  readonly literal: (value: boolean | null) => string
  readonly colon: string
  /** Separator between two members or elements; receives the value before it. */
  readonly comma: (before: Json, inObject: boolean) => string
  readonly open: { readonly object: string; readonly array: string }
  readonly close: { readonly object: string; readonly array: string }
}

const JSON_STYLE: Style = {
  key: (name) => JSON.stringify(name),
  text: (content) => JSON.stringify(content),
  number: (value) => JSON.stringify(value),
  literal: (value) => JSON.stringify(value),
  colon: ': ',
  comma: () => ', ',
  open: { object: '{', array: '[' },
  close: { object: '}', array: ']' },
}

function write(value: Json, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return style.number(value)
  if (typeof value !== 'object' || value === null) return style.literal(value)
  const isArray = Array.isArray(value)
  const kind = isArray ? 'array' : 'object'
  const members: readonly (readonly [string, Json])[] = isArray
    ? value.map((element: Json) => ['', element])
    : Object.entries(value)
  let text = style.open[kind]
  members.forEach(([name, member], index) => {
    if (!isArray) text += style.key(name) + style.colon
    text += write(member, style)
    const isLast = index === members.length - 1
    if (!isLast) text += style.comma(member, !isArray)
  })
  return text + style.close[kind]
}

const styled =
  (change: Partial<Style>) =>
  (value: Json): string =>
    write(value, { ...JSON_STYLE, ...change })

const json = styled({})

function withoutCommaAfter(...kinds: readonly string[]) {
  const isThis = (before: Json) => kinds.includes(before === null ? 'null' : typeof before)
  return styled({ comma: (before) => (isThis(before) ? ' ' : ', ') })
}

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

function singleQuoted(content: string): string {
  return `'${JSON.stringify(content).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Each way by name; the value has at least one member. */
export const WAYS_TO_BREAK: Readonly<
  Record<string, (value: { readonly [key: string]: Json }) => string>
> = {
  'no comma between properties': withoutCommaAfter('string'),
  'no comma after numbers': withoutCommaAfter('number'),
  'no comma after booleans and null': withoutCommaAfter('boolean', 'null'),
  'no comma after objects and arrays': withoutCommaAfter('object'),
  'no comma at line ends': styled({ comma: () => '\n  ' }),
  'no comma and no space': styled({
    comma: (before, inObject) => (inObject && typeof before !== 'object' ? '' : ', '),
  }),
  'trailing commas': styled({ close: { object: ',}', array: ', ]' } }),
  'commas twice': styled({ comma: () => ',, ' }),
  'names without quotes': styled({ key: (name) => name }),
  'names in single quotes': styled({ key: (name) => `'${name}'` }),
  'everything in single quotes': styled({ key: singleQuoted, text: singleQuoted }),
  'round quotes': styled({
    key: (name) => `“${name}”`,
    text: (content) => `“${JSON.stringify(content).slice(1, -1)}”`,
  }),
  'Python literals': styled({ literal: (value) => PYTHON[String(value)] ?? '' }),
  'Python dictionary': styled({
    key: singleQuoted,
    text: singleQuoted,
    literal: (value) => PYTHON[String(value)] ?? '',
  }),
  'equals signs for colons': styled({ colon: ' = ' }),
  'no colons': styled({ colon: ' ' }),
  'full-width commas and colons': styled({ colon: '：', comma: () => '，' }),
  'semicolons for commas': styled({ comma: () => '; ' }),
  'colons twice': styled({ colon: ':: ' }),
  comments: styled({ comma: () => ', // note\n', close: { object: ' /* end */}', array: ']' } }),
  'line ends in strings': styled({
    text: (content) =>
      JSON.stringify(content).replace(/\\(.)/g, (spelt, letter) =>
        letter === 'n' ? '\n' : letter === 't' ? '\t' : spelt,
      ),
  }),
  'backslashes not doubled': styled({
    text: (content) => JSON.stringify(content).replace(/\\\\(?=[dwsDWS.()[\]*+?|$^{}-])/g, '\\'),
  }),
  'quotes in strings not escaped': styled({
    text: (content) => `"${JSON.stringify(content).slice(1, -1).replaceAll('\\"', '"')}"`,
  }),
  'JSON in a text not escaped': (value) => `{"content": "${json(value)}", "path": "a.json"}`,
  'numbers spelt badly': styled({
    number: (value) =>
      Number.isInteger(value) && value >= 0
        ? `+${value}`
        : JSON.stringify(value).replace(/^(-?)0\./, '$1.'),
  }),
  'brackets not closed': (value) => json(value).replace(/[\]}]+$/, ''),
  'last string not closed': (value) => json({ ...value, last: 'the last one' }).slice(0, -2),
  'string before the end not closed': (value) =>
    `${json({ ...value, last: 'the last one' }).slice(0, -2)}}`,
  'string before a property not closed': (value) =>
    `{"first": "no end here, ${json(value).slice(1)}`,
  'one bracket too many': (value) => `${json(value)}}`,
  'closed too early': (value) => `${json({ first: 1 })}, ${json(value).slice(1)}`,
  'no braces around': (value) => json(value).slice(1, -1),
  'braces doubled': (value) => `{${json(value)}}`,
  'split into two objects': (value) => `{"first": 1}${json(value)}`,
  'written twice': (value) => json(value) + json(value),
  'an empty object before': (value) => `{}${json(value)}`,
  fenced: (value) => `\`\`\`json\n${json(value)}\n\`\`\``,
  'a sentence before and after': (value) => `Here are the arguments: ${json(value)}\nThat is all.`,
  'tags of a call': (value) => `<tool_call>\n${json(value)}\n</tool_call>`,
  'a call in code': (value) => `functions.run(${json(value)})`,
  'in quotes': (value) => `"${json(value)}"`,
  'escaped once too often': (value) => JSON.stringify(json(value)).slice(1, -1),
  'on several lines, escaped once too often': (value) =>
    JSON.stringify(JSON.stringify(value, null, 2)).slice(1, -1),
  'glued array elements': (value) => `{"rules": [""]cursor${json(value)}`,
}

/** Reads a text in which only the quotes are not escaped. */
function readOnce(text: string): string {
  return JSON.parse(`"${text.replace(/\\.|"/g, (spelt) => (spelt === '"' ? '\\"' : spelt))}"`)
}

const FIRST = { first: 1 }
const LAST = { last: 'the last one' }

/** Returns the value that the broken text means, when a way adds something to the original. */
export function expectedValue(way: string, value: { readonly [key: string]: Json }): Json {
  const added: Readonly<Record<string, Json>> = {
    'last string not closed': { ...value, ...LAST },
    'string before the end not closed': { ...value, ...LAST },
    'string before a property not closed': { first: 'no end here', ...value },
    'closed too early': { ...FIRST, ...value },
    'split into two objects': { ...FIRST, ...value },
    'JSON in a text not escaped': { content: readOnce(json(value)), path: 'a.json' },
    'glued array elements': { rules: ['cursor'], ...value },
  }
  return added[way] ?? value
}
