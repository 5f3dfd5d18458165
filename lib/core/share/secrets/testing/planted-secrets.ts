/** Texts with a planted secret, and transcripts in which one result has such a text. */
import { readFileSync } from 'node:fs'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALPHABETS: Readonly<Record<string, string>> = {
  made: LOWER + LOWER.toUpperCase() + DIGITS,
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
  lower: LOWER,
  upper: LOWER.toUpperCase() + DIGITS,
  base32: `${LOWER}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
}

/** Characters in an order that depends on the length only; never a real key. */
export function made(length: number, alphabet = 'made'): string {
  const letters = ALPHABETS[alphabet] as string
  let state = length * 7919 + 17
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return letters[(state >> 8) % letters.length]
  }).join('')
}

/** A text of the list, with pictures for control characters, and `{{made 40}}` for characters that are made. */
function written(text: string): string {
  return text
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
    .replace(/\{\{(?!base64)(\w+) (\d+)\}\}/g, (_, letters, length) =>
      made(Number(length), letters),
    )
    .replace(/\{\{base64 ([^}]+)\}\}/g, (_, plain) => Buffer.from(plain).toString('base64'))
}

/** What is planted, a text in which `<>` is the place of the secret, and the secret. The name may be its kind. */
export const PLANTED = rowsOf('planted')
/** As above, but not found; `docs/sharing.md` names them. */
export const MISSED = rowsOf('missed')

function rowsOf(name: string): readonly [name: string, text: string, secret: string][] {
  return readFileSync(`${import.meta.dirname}/../cases/${name}.list`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').map(written) as [string, string, string])
}

/** A planted text with its secret, by its name. */
export function plantedAs(name: string): { readonly text: string; readonly secret: string } {
  const [, text, secret] = PLANTED.find(([own]) => own === name) ?? ['', name, '']
  return { text: text.replace('<>', () => secret), secret }
}

/** A text in a result: as it is, as JSON, and as JSON inside JSON. */
export const NESTINGS: readonly (readonly [string, (text: string) => string])[] = [
  ['plain text', (text) => text],
  ['JSON', (text) => JSON.stringify({ stdout: text, code: 0 })],
  ['JSON in JSON', (text) => JSON.stringify({ out: JSON.stringify([{ text, next: 'x' }]), n: 1 })],
  [
    'JSON in JSON as .NET writes it',
    (text) => dotNet({ out: dotNet([{ text, next: 'x' }]), n: 1 }),
  ],
]

/** As a part of a command, and of a diff, in which lines have a sign more. */
export const TERMINALS: typeof NESTINGS = [
  ['a shell', (text) => `$ bash -c "${text.replace(/["\\$`]/g, '\\$&')}"\nexit 0`],
  ['a diff', (text) => `@@ -0,0 +1,9 @@\n${text.replace(/^/gm, '+')}\n context`],
]

/** With quotes by their code, as System.Text.Json writes them. */
function dotNet(value: unknown): string {
  return JSON.stringify(value).replace(/\\(.)/g, (written, letter) =>
    letter === '"' ? '\\u0022' : written,
  )
}

/** A call with its result. */
export function turn(id: string, content: string, written = '{}'): object[] {
  const call = { id, type: 'function', function: { name: 'run', arguments: written } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

export function transcript(content: string): string {
  return JSON.stringify([...turn('a', content), ...turn('b', 'done')])
}
