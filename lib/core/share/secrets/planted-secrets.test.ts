import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../formats/read-document'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { IS_LARGE, testSize } from '../../testing/test-size'
import { CORPUS_FOLDER, HAS_CORPUS } from '../../testing/transcripts'
import { findSecrets } from './find-secrets'
import { redactSecrets } from './redact-secrets'
import { MISSED, NESTINGS, PLANTED, TERMINALS, transcript } from './testing/planted-secrets'

const POLICY = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

const decisionsOf = (text: string) =>
  maskDocument({ text, ...readDocument(text) }, POLICY).decisions

const ROWS = PLANTED.map((planted, row) => [...planted, row] as const)

describe.each(ROWS)('the planted secret is found: %s', (_, text, secret, row) => {
  const contexts = [text, `$ cat x\n${text}\n$ `]
  const cases = contexts
    .flatMap((around) =>
      NESTINGS.map(([nesting, nest]) => [nesting, around.length, nest, around] as const),
    )
    // Small: one nesting, another one for the next secret.
    .filter((_, at, all) => IS_LARGE || at === row % all.length)
  test.each(cases)('in %s, %i characters', async (_nesting, _length, nest, around) => {
    const content = nest(around.replace('<>', () => secret))
    const source = transcript(content)
    const secrets = await findSecrets(source)
    expect(secrets.map((found) => found.text)).toEqual([secret])
    const redacted = redactSecrets(source, secrets)
    const after = JSON.parse(redacted)[1].content as string
    expect(after).toHaveLength(content.length)
    const [mark] = /REDACTED-1\**|\*1\**|\*+(?=[^*]*$)/.exec(after) as unknown as [string]
    expect(after).toBe(nest(around.replace('<>', () => mark)))
    expect(mark).toHaveLength(content.length - nest(around.replace('<>', '')).length)
    expect(decisionsOf(redacted)).toEqual(decisionsOf(source))
    expect(await findSecrets(redacted)).toEqual([])
  })
})

test('of all kinds, at least 95 of 100 are found in each nesting', async () => {
  const ALL = [...PLANTED, ...MISSED]
  expect(ALL.length).toBeGreaterThan(200)
  for (const [nesting, nest] of [...NESTINGS, ...TERMINALS]) {
    const missed: string[] = []
    for (const [name, text, secret] of ALL) {
      const content = nest(text.replace('<>', () => secret))
      const source = transcript(content)
      const secrets = await findSecrets(source)
      const isLineFound = (line: string) => secrets.some((found) => found.text.includes(line))
      if (!secret.split('\n').every(isLineFound)) missed.push(name)
      expect(JSON.parse(redactSecrets(source, secrets))[1].content).toHaveLength(content.length)
    }
    const expected = [...MISSED.map(([name]) => name), ...(MISSED_IN[nesting] ?? [])]
    expect(missed.sort(), nesting).toEqual(expected.sort())
    expect(missed.length / ALL.length).toBeLessThan(0.05)
  }
})

/** An unquoted value of words is known by the lines around it, which a part of a command has not. */
const MISSED_IN: Readonly<Record<string, readonly string[]>> = {
  'a diff': ['letters alone'],
  'a shell': [
    ...['two words in INI', 'letters alone, after a comment'],
    ...['YAML, a folded block', 'YAML, a block of a key'],
  ],
}

test('colours and the signs of a diff stay beside a redaction', async () => {
  const content = '@@ -1 +1,2 @@\n+DB_PASSWORD=\u001b[31mhydrangea7\u001b[0m\n+PORT=1'
  const source = transcript(content)
  const redacted = redactSecrets(source, await findSecrets(source))
  expect(JSON.parse(redacted)[1].content).toBe(content.replace('hydrangea7', 'REDACTED-1'))
})

test.each(NESTINGS)('a password of .pgpass may have an escaped colon: %s', async (_, nest) => {
  const lines = 'localhost:5432:app:ada:pa\\:ss\nlocalhost:80:get:path:no:password'
  const source = transcript(nest(lines))
  const secrets = await findSecrets(source)
  expect(secrets.map(({ text }) => text)).toEqual(['pa:ss'])
  expect(await findSecrets(redactSecrets(source, secrets))).toEqual([])
})

describe('a password that is a JSON number', () => {
  const CONTENTS: readonly unknown[] = [
    { password: 12345678, port: 5432 },
    '{"password": 12345678, "port": 5432}',
    JSON.stringify({ text: '{"db_password":12345678}' }),
  ]
  test.each(CONTENTS)('is replaced by a number of the same length: %j', async (content) => {
    const source = JSON.stringify([{ role: 'tool', content }])
    const secrets = await findSecrets(source)
    expect(secrets.map(({ text }) => text)).toEqual(['12345678'])
    const redacted = redactSecrets(source, secrets)
    expect(redacted).toBe(source.replace('12345678', '10000000'))
    expect(await findSecrets(redacted)).toEqual([])
  })

  test.each([
    '{"pass":12345,"fail":12345}',
    '{"password":0,"passwords":12345,"password_length":12345}',
    '{"max_tokens":12345,"token":12345678}',
  ])('is not any number: %s', async (text) => {
    expect(await findSecrets(transcript(text))).toEqual([])
  })
})

test.each(NESTINGS)('all secrets of one transcript are redacted at once: %s', async (_, nest) => {
  const texts = PLANTED.map(([, text, secret]) => text.replace('<>', () => secret))
  const content = nest(texts.join('\n\n'))
  const source = transcript(content)
  const redacted = redactSecrets(source, await findSecrets(source))
  expect(JSON.parse(redacted)[1].content).toHaveLength(content.length)
  expect(await findSecrets(redacted)).toEqual([])
  for (const [, , secret] of PLANTED) if (secret.length > 20) expect(redacted).not.toContain(secret)
})

test.skipIf(!HAS_CORPUS)('published transcripts have e-mail addresses only, and few', async () => {
  const folders = [CORPUS_FOLDER, join(CORPUS_FOLDER, '../more-formats')].filter(existsSync)
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[a-z]+$/.test(name) && !name.endsWith('.md'))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).size < testSize(100_000, Infinity)),
  )
  const found = await Promise.all(files.map((file) => findSecrets(readFileSync(file, 'utf8'))))
  expect(found.flat().filter(({ kind }) => kind !== 'email')).toEqual([])
  expect(found.flat().length).toBeLessThan(40)
})

describe('a value that is not a secret', () => {
  test.each([
    'interface User {\n  password: string\n  secret: Secret\n}',
    'class User:\n    password: str\n    token: Optional[str] = None\n',
    'login(user, password=password, token=token)',
    'const password = form.password.value;\nconst apiKey = getApiKey(1);',
    `PASSWORD=$PASSWORD\nTOKEN=\${TOKEN}\nAPI_KEY=$(cat key)\nSECRET_KEY=os.environ["KEY"]`,
    `password: \${DB_PASSWORD}\npassword: <your password>\npassword: ""\npassword: null\n`,
    '{"password": "Enter your password", "passwordLabel": "Password", "token": "hello"}',
    'PWD=/home/ada\nOLDPWD=/\n{"pwd":"/home/ada"}',
    'max_tokens: 1024, token_count: 17, TOKENS=1200',
    'interface Wallet {\n  privateKey: Uint8Array\n  secretKey: Ed25519PrivateKey;\n}',
    'CACHE_KEY=a8f5f167f44f4964e6c998dee827110c\nSTORAGE_KEY = "playground-settings-v2"\nkey: 3f2a9c1e-7b4d-4e8f-a1c2-0d9e8f7a6b5c',
    'fields = ["password", "username12"]; get("password", "text"); token || "none"',
    'docker login -u ada -p $PASSWORD; docker run -p 8080:80 web; echo done | sudo tee x',
    'kind: ConfigMap\ndata:\n  theme: c29tZXRoaW5n\nimage: aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXh0',
    'PASS 12 tests\nFAIL: 1\npassword is required',
    'src/app.ts:12:34:error:x y\n12:30:45:10:22 at 10:00',
    'document.cookie = name; // Cookie: see below\nSet-Cookie is a header',
    'default login page; machine learning password reset',
    'PASS=12 FAIL=1\nPASS=3\npass="12" PASS: it works',
    'password = value\nreturn password',
    'def f():\n    password = word\n\n    return 1',
    'user: Name\npassword: Kennwort eingeben\nlogin: Anmelden',
    'password: |\n  Your password must have eight letters.\n',
    'password: |\nuser: ada',
    'token=a.token=b',
    'mysql -p && mkdir -p/var/lib; docker run --name mysql -p3306:3306 mysql',
    'mongo -p; redis-cli -a $PASSWORD',
    'API_TOKEN_FILE=/run/secrets/token-1\nSECRET_KEY_PATH=/etc/key-22222',
    '{"password": "string"}',
    'API_KEY: settings.API_KEY\n',
    'password := newWords',
    `pwd = \`\${start}...\${end}\`;\nconst password = \`\${user}-\${host}\``,
    'log in with password=a-1 and go',
    'password = two words\nand then',
    'password: two words, 7!\nand then',
    'const headers = { authorization: req.headers.authorization, Authorization: process.env.TOKEN_2 }',
    'authorization: administrators only\nAuthorization: Bearer authentication\nauthorization: permissions configuration',
    `{"Authorization": "Bearer $TOKEN", "authorization": "Bearer \${token}"}\nAuthorization: Bearer <token>`,
    'authorization: oauth2-proxy and authorization=enabled-by-default',
    'Authorization: Bearer token is missing; Authorization: token expired',
    `env:\n  - name: DB_PASSWORD\n    value: "\${DB_PASSWORD}"\n  - name: API_SECRET\n    value: {{ .secret }}`,
    '{"name":"password","value":""}\n{"name":"password","type":"string"}\n<input name="password" value="">',
    'variable "db_password" {\n  type = string\n  default = ""\n}',
    "define('DB_NAME', 'blog'); define('DB_PASSWORD', getenv('DB_PASSWORD'));",
    "awk '{print $1$2}' && echo $5$6\n192.168.0.1:80:tcp:open:http",
    'reads until -----END PRIVATE KEY----- and then stops',
    'the task-list of the desk-based sk-learn user @home',
    'commit 5e8acaf9c0b1d2e3f4a5b6c7d8e9f0a1b2c3d4e5 call_MR9MaJNmm366aKxTYi4NO75N',
    'http://localhost:3000/a@b and https://example.org/x:y@z',
    'password: string; apiKey = process.env.API_KEY_2; secret=getSecret2(); access_token: null',
    'auth_token = tokens[12345678], password=$(DB_PASSWORD_1)',
    'Authorization: Basic is for names; Bearer realm="x"',
    'const token = getToken(); email@; @decorator(x) 12-@pytest.mark.parametrize(a)',
  ])('is not found: %s', async (text) => {
    for (const [, nest] of [...NESTINGS, ...TERMINALS])
      expect(await findSecrets(transcript(nest(text)))).toEqual([])
  })
})
