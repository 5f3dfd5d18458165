import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyUnicode } from '../../testing/any-unicode'
import { anyDocument, parseText } from '../../testing/documents'
import { forAll, forAllAsync } from '../../testing/test-size'
import { findSecrets } from './find-secrets'
import { redactSecrets } from './redact-secrets'
import { SECRET_RULES } from './secret-rules'
import { unescapeText } from './string-scopes'
import { made, plantedAs, turn } from './testing/planted-secrets'

const KINDS = [...new Set<string>(SECRET_RULES.map(({ kind }) => kind))]

const textsOf = async (source: string) => (await findSecrets(source)).map(({ text }) => text)

describe('a secret', () => {
  test.each(KINDS)('of this kind is found beside quotes, and without JSON: %s', async (kind) => {
    const { text, secret } = plantedAs(kind)
    for (const source of [
      JSON.stringify([{ role: 'tool', content: `("${text}")` }]),
      JSON.stringify({ command: JSON.stringify({ command: `echo "${text}"\n` }) }),
      `$ env\n${text}\n$`,
    ]) {
      const secrets = await findSecrets(source)
      const own = secrets.find((found) => found.text === secret)
      expect(own?.kind).toBe(kind)
      const redacted = redactSecrets(source, secrets)
      expect(redacted).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(await textsOf(redacted)).toEqual([])
    }
  })

  test.each([
    ['a password of an address', 'postgres://ada:hunter2-x@db.example.org/x', 'PGPASS hunter2-x .'],
    ['a password as an address', 'mongodb+srv://ada:hunter2-x@c.example.org/x', 'hunter2-x'],
    ['a password of a command', 'curl -s -u ada:hunter2-x https://example.org', 'hunter2-x'],
    ['a key named by its variable', `AWS_SECRET_ACCESS_KEY=${made(40)}`, `put ${made(40)} in`],
    ['a token of a header', `Authorization: Bearer ${made(30)}`, `{"token":"x${made(30)}"}`],
  ])('is the same secret without its context: %s', async (_, known, alone) => {
    const source = JSON.stringify([{ content: alone }, { content: known }, { content: alone }])
    const secrets = await findSecrets(source)
    expect(secrets).toHaveLength(1)
    expect(secrets[0]?.spans).toHaveLength(3)
    expect(redactSecrets(source, secrets)).not.toContain(secrets[0]?.text)
  })

  test.each([
    ['password=', []],
    ["password='hunter-x2'", ['hunter-x2']],
  ])('is looked for up to the end of text that is not JSON: %s', async (source, secrets) => {
    expect(await textsOf(source)).toEqual(secrets)
  })

  test.each(['anthropic', 'github', 'stripe', 'jwt'])('assigned has its kind: %s', async (kind) => {
    const { secret } = plantedAs(kind)
    const [found] = await findSecrets(JSON.stringify([{ content: `API_TOKEN="${secret}"` }]))
    expect(found).toMatchObject({ kind, text: secret })
  })

  test("is found beside a comment that turns secretlint's rules off", async () => {
    const token = `glpat-${made(20)}`
    const content = `// secretlint-disable\n${token} // secretlint-disable-line\n`
    expect(await textsOf(JSON.stringify([{ content }]))).toEqual([token])
  })

  test('is not a JSON number', async () => {
    expect(await textsOf('{"api_key":12345678e5,"access_token":-1234567.8E9}')).toEqual([])
  })

  test('that is also a common word is not searched elsewhere', async () => {
    const source = JSON.stringify(['postgres://postgres:postgres@db/x', 'start postgres'])
    const secrets = await findSecrets(source)
    expect(secrets).toHaveLength(1)
    expect(redactSecrets(source, secrets)).toContain('start postgres')
  })

  test.each(['coding-session.json', 'data-analysis.json', 'log-reading.json'])(
    'is not reported in %s, which has none',
    async (name) => {
      const file = new URL(`../../../../public/samples/${name}`, import.meta.url)
      expect(await textsOf(readFileSync(file, 'utf8'))).toEqual([])
    },
  )
})

test('occurrences of a secret that overlap are redacted completely', async () => {
  const known = 'q1w2-e3r4-q1w2'
  const source = JSON.stringify([`PASSWORD=${known}`, `${known}-e3r4-q1w2`])
  const redacted = JSON.parse(redactSecrets(source, await findSecrets(source)))
  expect(redacted[1]).toMatch(/^REDACTED-\d\*+$/)
})

test('five secrets of a transcript are redacted alike everywhere', async () => {
  const kinds = ['anthropic', 'bearer', 'private_key', 'url_password', 'email']
  const planted = kinds.map(plantedAs)
  const [key, header, privateKey, url, email] = planted.map(({ text }) => text)
  const messages = [
    { role: 'user', content: `use ${key}\n` },
    ...turn('a', `curl -H '${header}'\n${'output\n'.repeat(30)}`),
    ...turn('b', `cat key.pem\n${privateKey}\n`, JSON.stringify({ file: `"${key}"` })),
    ...turn('c', `${url}\n${email}`),
    ...turn('d', 'done'),
  ]
  const source = JSON.stringify(messages, null, 1)
  const secrets = await findSecrets(source)
  const expected = kinds.map((kind, at) => ({ kind, text: planted[at]?.secret }))
  expect(secrets).toMatchObject(expected)
  expect(secrets[0]?.spans).toHaveLength(2)
  const redacted = redactSecrets(source, secrets)
  for (const { secret } of planted) expect(redacted).not.toContain(secret)
  const read = JSON.parse(redacted)
  const [first] = read[0].content.match(/REDACTED-1\**/) as [string]
  expect(JSON.parse(read[3].tool_calls[0].function.arguments)).toEqual({ file: `"${first}"` })
  expect(read[6].content).toMatch(/^git clone https:\/\/ada:\*4\*+@git\.example\.org/)
})

describe('redacting any document', () => {
  const anySecret = fc.constantFrom(...KINDS.map((kind) => plantedAs(kind).text))

  test('changes the content of strings only', async () => {
    const anySource = fc
      .tuple(anyDocument, fc.array(fc.tuple(fc.nat(), anySecret), { maxLength: 4 }))
      .map(([{ text, layout }, plants]) => {
        // Anywhere inside a string: between two letters.
        const places = [...text.matchAll(/(?<=[^\\]{6}[a-z])(?=[a-z])/g)].map(({ index }) => index)
        const planted = plants
          .map(([at, secret]) => [places[at % Math.max(1, places.length)] ?? -1, secret] as const)
          .filter(([at]) => at >= 0 && isInString(text, at))
          .sort(([a], [b]) => b - a)
          .reduce((result, [at, secret]) => {
            const inside = JSON.stringify(` ${secret} `).slice(1, -1)
            return result.slice(0, at) + inside + result.slice(at)
          }, text)
        return { text: planted, layout }
      })
    await forAllAsync(150, [anySource], async ({ text, layout }) => {
      const redacted = redactSecrets(text, await findSecrets(text))
      expect(shapeOf(parseText(redacted, layout))).toEqual(shapeOf(parseText(text, layout)))
    })
  })

  test('maps spans of unescaped text to the source', () => {
    forAll(100, [anyUnicode(), anyUnicode()], (before, after) => {
      const source = JSON.stringify([before, 'needle', after])
      const { text, sourceOf } = unescapeText(source)
      const at = text.indexOf('needle', text.lastIndexOf(',"needle"'))
      const span = sourceOf({ start: at, end: at + 'needle'.length })
      expect(source.slice(span.start, span.end)).toBe('needle')
    })
  })
})

function isInString(text: string, at: number): boolean {
  const line = text.slice(0, at).replaceAll(/\\./gs, '')
  return (line.match(/"/g)?.length ?? 0) % 2 === 1
}

/** A value without its texts. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.values(value).map(shapeOf)
}
