import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../formats/read-document'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { anyDocument, parseText } from '../../testing/documents'
import { fuzz } from '../../testing/test-size'
import { findSecrets } from './find-secrets'
import { redactSecrets } from './redact-secrets'
import { type PatternKind, SECRET_RULES } from './secret-rules'
import { unescapeText } from './string-scopes'

const PATTERN_KINDS = [...new Set(SECRET_RULES.map(({ kind }) => kind))]

/** Letters and digits without repetition; not a real key. */
const letters = (length: number) =>
  Array.from({ length }, (_, index) => 'aZ3kQ9xR7mB2'[(index * 7 + (index >> 2)) % 12]).join('')

const hex = (length: number) =>
  Array.from({ length }, (_, index) => '0123456789abcdef'[(index * 7 + 3) % 16]).join('')

const KEY = ['-----BEGIN RSA PRIVATE KEY-----', `MII${letters(61)}`, letters(64), letters(30)].join(
  '\n',
)
const PRIVATE_KEY = `${KEY}\n-----END RSA PRIVATE KEY-----`

/** A secret of each kind, split so that a secret scan of this repository does not report it. */
const SECRETS: Readonly<Record<PatternKind, string>> = {
  anthropic: `sk-${'ant'}-api03-${letters(93)}`,
  openai: `sk-${'proj'}-${letters(48)}`,
  google: `AIza${letters(35)}`,
  aws: `AKIA${letters(16).toUpperCase()}`,
  github: `ghp_${letters(36)}`,
  stripe: `sk_${'live'}_${letters(24)}`,
  xai: `xai-${letters(80)}`,
  groq: `gsk_${letters(52)}`,
  huggingface: `hf_${letters(34)}`,
  langsmith: `lsv2_pt_${hex(32)}_${hex(10)}`,
  nvidia: `nvapi-${letters(64)}`,
  perplexity: `pplx-${letters(48)}`,
  replicate: `r8_${letters(37)}`,
  tavily: `tvly-dev-${letters(32)}`,
  fireworks: `fw_${letters(24)}`,
  pypi: `pypi-AgEIcHlwaS5vcmc${letters(60)}`,
  digitalocean: `dop_v1_${hex(64)}`,
  twilio: `SK${hex(32)}`,
  telegram: `3071852963:AA${letters(33)}`,
  notion: `ntn_${letters(46)}`,
  supabase: `sbp_${hex(40)}`,
  atlassian: `ATATT3xFfGF0${letters(150)}=1A2B3C4D`,
  sentry: `sntrys_${letters(60)}`,
  azure: `${letters(86)}==`,
  discord: `M${letters(23)}.${letters(6)}.${letters(38)}`,
  vercel: `vcp_${letters(32)}`,
  mailgun: `key-${hex(32)}`,
  age: `AGE-SECRET-KEY-1${letters(58).toUpperCase()}`,
  doppler: `dp.${'pt'}.${letters(43)}`,
  cookie: `session=${letters(24)}; theme=dark`,
  jwt: `eyJ${letters(20)}.eyJ${letters(30)}.${letters(43)}`,
  bearer: `${letters(20)}.${letters(12)}=`,
  basic: `${letters(20)}==`,
  private_key: PRIVATE_KEY,
  url_password: 'hunter2!',
  assigned: 'corr3ct-horse',
  email: 'ada.lovelace+notes@example.org',
}

const AROUND: Partial<Record<PatternKind, (secret: string) => string>> = {
  bearer: (secret) => `Authorization: Bearer ${secret}`,
  basic: (secret) => `authorization: Basic ${secret}`,
  cookie: (secret) => `Cookie: ${secret}`,
  azure: (secret) => `AccountName=ada;AccountKey=${secret};EndpointSuffix=x`,
  assigned: (secret) => `export DB_PASSWORD=${secret}`,
  url_password: (secret) => `git clone https://ada:${secret}@git.example.org/x.git`,
}

const around = (kind: PatternKind) => (AROUND[kind] ?? String)(SECRETS[kind])

const textsOf = async (source: string) => (await findSecrets(source)).map(({ text }) => text)

describe('a secret', () => {
  test.each(PATTERN_KINDS)('of this kind is found anywhere in a string: %s', async (kind) => {
    const secret = SECRETS[kind]
    const inside = [
      around(kind),
      `before\n${around(kind)}\nafter`,
      `("${around(kind)}")`,
      JSON.stringify({ command: `echo "${around(kind)}"\n` }),
      JSON.stringify(JSON.stringify([`\t${around(kind)}`])),
    ]
    for (const content of inside) {
      const source = JSON.stringify([{ role: 'tool', content }])
      expect(await textsOf(source)).toContain(secret)
      const redacted = redactSecrets(source, await findSecrets(source))
      expect(redacted).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(await textsOf(redacted)).toEqual([])
      JSON.parse(redacted)
    }
  })

  test.each([
    ['ordinary words', 'the task-list of the desk-based sk-learn user @home'],
    [
      'hashes and ids',
      'commit 5e8acaf9c0b1d2e3f4a5b6c7d8e9f0a1b2c3d4e5 call_MR9MaJNmm366aKxTYi4NO75N',
    ],
    ['a port in an address', 'http://localhost:3000/a@b and https://example.org/x:y@z'],
    [
      'code that names secrets',
      'password: string; apiKey = process.env.API_KEY_2; secret=getSecret2(); access_token: null, auth_token = tokens[12345678], password=$(DB_PASSWORD_1)',
    ],
    ['headers that are shown without', 'Authorization: Basic is for names; Bearer realm="x"'],
    ['code', 'const token = getToken(); email@; @decorator(x) 12-@pytest.mark.parametrize(a)'],
  ])('is not reported in %s', async (_, content) => {
    expect(await textsOf(JSON.stringify([{ role: 'tool', content }]))).toEqual([])
  })

  test.each([
    ['a password of an address', 'postgres://ada:hunter2-x@db.example.org/x', 'PGPASS hunter2-x .'],
    [
      'a password that looks like an address',
      'mongodb+srv://ada:hunter2-x@c.example.org/x',
      'hunter2-x',
    ],
    ['a password of a command', 'curl -s -u ada:hunter2-x https://example.org', 'hunter2-x'],
    [
      'a key named by its variable',
      `AWS_SECRET_ACCESS_KEY=${letters(40)}`,
      `put ${letters(40)} in`,
    ],
    ['a token of a header', `Authorization: Bearer ${letters(30)}`, `{"token":"x${letters(30)}"}`],
  ])('is the same secret without its context: %s', async (_, known, alone) => {
    const source = JSON.stringify([{ content: alone }, { content: known }, { content: alone }])
    const secrets = await findSecrets(source)
    expect(secrets).toHaveLength(1)
    expect(secrets[0]?.spans).toHaveLength(3)
    expect(redactSecrets(source, secrets)).not.toContain(secrets[0]?.text)
  })

  test.each(['anthropic', 'github', 'stripe', 'jwt'] as const)(
    'that is assigned has its provider as kind: %s',
    async (kind) => {
      const source = JSON.stringify([{ content: `API_TOKEN="${SECRETS[kind]}"` }])
      const secrets = await findSecrets(source)
      expect(secrets.map((secret) => [secret.kind, secret.text])).toEqual([[kind, SECRETS[kind]]])
    },
  )

  test.each(PATTERN_KINDS)('is found in text that is not JSON: %s', async (kind) => {
    const source = `$ env\n${around(kind)}\n$`
    const secrets = await findSecrets(source)
    expect(secrets.map(({ text }) => text)).toContain(SECRETS[kind])
    expect(redactSecrets(source, secrets)).not.toContain(SECRETS[kind])
  })

  test("is found beside a comment that turns secretlint's rules off", async () => {
    const token = `glpat-${letters(20)}`
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
      const source = readFileSync(
        new URL(`../../../../public/samples/${name}`, import.meta.url),
        'utf8',
      )
      expect(await textsOf(source)).toEqual([])
    },
  )
})

test('occurrences of a secret that overlap are redacted completely', async () => {
  const known = 'q1w2-e3r4-q1w2'
  const source = JSON.stringify([
    { content: `PASSWORD=${known}` },
    { content: `${known}-e3r4-q1w2` },
  ])
  const redacted = JSON.parse(redactSecrets(source, await findSecrets(source)))
  expect(redacted[1].content).toMatch(/^REDACTED-\d\*+$/)
})

describe('a transcript with five planted secrets', () => {
  const kinds = ['anthropic', 'bearer', 'private_key', 'url_password', 'email'] as const
  const planted = kinds.map(around)
  const turn = (id: string, content: string, text = '{}') => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: text } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]
  const messages = [
    { role: 'user', content: `use ${planted[0]}\n` },
    ...turn('a', `curl -H '${planted[1]}'\n${'output\n'.repeat(30)}`),
    ...turn('b', `cat key.pem\n${planted[2]}\n`, JSON.stringify({ file: `"${planted[0]}"` })),
    ...turn('c', `${planted[3]}\n${planted[4]}`),
    ...turn('d', 'done'),
  ]
  const source = JSON.stringify(messages, null, 1)
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const mask = (text: string) => maskDocument({ text, ...readDocument(text) }, policy)

  test('has all of them redacted alike everywhere, and stays valid', async () => {
    const secrets = await findSecrets(source)
    expect(secrets.map(({ kind, text }) => [kind, text])).toEqual(
      kinds.map((kind) => [kind, SECRETS[kind]]),
    )
    expect(secrets[0]?.spans).toHaveLength(2)
    const redacted = redactSecrets(source, secrets)
    for (const secret of Object.values(SECRETS)) expect(redacted).not.toContain(secret)
    const after = JSON.parse(redacted)
    const [first] = after[0].content.match(/REDACTED-1\**/) as [string]
    expect(JSON.parse(after[3].tool_calls[0].function.arguments)).toEqual({ file: `"${first}"` })
    expect(after[6].content).toMatch(/^git clone https:\/\/ada:\*4\*+@git\.example\.org/)
  })

  test('is masked the same as before', async () => {
    const redacted = redactSecrets(source, await findSecrets(source))
    const [before, after] = [mask(source), mask(redacted)]
    expect(after.decisions).toEqual(before.decisions)
    expect(before.decisions[0]?.map(({ action }) => action)).toEqual([
      'mask',
      'mask',
      'mask',
      'keep',
    ])
    expect(after.edits.map(({ text }) => text)).toEqual(before.edits.map(({ text }) => text))
  })
})

describe('redacting any document', () => {
  const anySecret = fc.constantFrom(...PATTERN_KINDS.map(around))

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
    await fc.assert(
      fc.asyncProperty(anySource, async ({ text, layout }) => {
        const redacted = redactSecrets(text, await findSecrets(text))
        expect(shapeOf(parseText(redacted, layout))).toEqual(shapeOf(parseText(text, layout)))
      }),
      fuzz(150),
    )
  })

  test('maps spans of unescaped text to the source', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        const source = JSON.stringify([before, 'needle', after])
        const { text, sourceOf } = unescapeText(source)
        const at = text.indexOf('needle', text.lastIndexOf(',"needle"'))
        const span = sourceOf({ start: at, end: at + 'needle'.length })
        expect(source.slice(span.start, span.end)).toBe('needle')
      }),
      fuzz(100),
    )
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
