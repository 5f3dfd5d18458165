import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { EXPORT_TARGETS } from '../../lib/core/share/exports/export-targets'
import { inputWithoutTranscript } from '../../lib/core/testing/export-input'
import {
  historiesOf,
  type ProviderServer,
  startProviderServer,
} from '../../lib/core/testing/provider-server'
import { itemsOf } from '../../lib/core/text/json'
import { buildPackage } from './build-package.mjs'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'package-'))
const TURNS = 30
const OLD = 'an old output '.repeat(30)

const ids = Array.from({ length: TURNS }, (_, turn) => `call_${turn}`)
const HISTORIES = historiesOf(ids, OLD)

/** The history of the specification's integration test: seven messages, of which two are results. */
const ROUTE = [
  { role: 'user', content: 'go' },
  ...HISTORIES.chat.slice(1, 3),
  { role: 'assistant', content: 'and now' },
  { role: 'user', content: 'more' },
  ...HISTORIES.chat.slice(3, 5),
]
const ROUTE_BODY = `{"messages":  ${JSON.stringify(ROUTE)}, "model":"m", "temperature":1.0}`

let provider: ProviderServer
let output: {
  readonly answers: Readonly<Record<string, readonly string[]>>
  readonly masked: typeof HISTORIES.chat
  readonly exported: typeof HISTORIES.chat
  readonly tokens: number
  readonly repaired: unknown
  readonly loop: string
}

/** What the page exports for the policy of the README. */
function exported(id: string): string {
  const policy = { ...DEFAULT_POLICY, enabled: true, batchTurns: 'auto' as const }
  const target = EXPORT_TARGETS.find((target) => target.id === id)
  return target?.write(inputWithoutTranscript(policy, 'history.json')) ?? ''
}

/** The examples of the package's README, by their headings. */
function examples(): Map<string, string> {
  const readme = readFileSync(join(folder, 'node_modules/observation-masking/README.md'), 'utf8')
  const found = readme.matchAll(/^## ([^\n]+)$\s+```js\n(.*?)```/gms)
  return new Map(
    [...found].map(([, title = '', code = '']) => [title.toLowerCase().replace(/ /g, '-'), code]),
  )
}

beforeAll(async () => {
  provider = await startProviderServer({
    isStrict: true,
    answer: ({ messages }) => ({ content: `saw ${itemsOf(messages).length} messages` }),
  })
  const tarball = process.env.PACKAGE ?? (await buildPackage(join(folder, 'dist'))).tarball
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...flags, tarball], { cwd: folder })
  for (const name of ['openai', '@anthropic-ai/sdk', 'ai', '@ai-sdk/openai-compatible']) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(join(link, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  for (const [name, code] of examples()) writeFileSync(join(folder, `${name}.mjs`), code)
  copyFileSync(
    join(import.meta.dirname, 'testing/run-examples.mjs'),
    join(folder, 'run-examples.mjs'),
  )
  const policyPath = join(folder, 'policy.toml')
  writeFileSync(policyPath, exported('proxy'))
  for (const id of ['library', 'fetch']) {
    const text = exported(id)
    writeFileSync(join(folder, `exported-${id}.ts`), text)
    const { code } = transformSync(text, { loader: 'ts' })
    writeFileSync(join(folder, `exported-${id}.mjs`), code)
  }
  writeFileSync(join(folder, 'route-body.json'), ROUTE_BODY)
  const input = { histories: HISTORIES, baseUrl: provider.baseUrl, policyPath }
  writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
  // No key of the machine is used.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: 'production' as const,
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'k',
    ANTHROPIC_BASE_URL: provider.baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'k',
  }
  const { stdout } = await run(process.execPath, ['run-examples.mjs'], { cwd: folder, env })
  output = JSON.parse(stdout)
}, 300_000)

afterAll(async () => {
  await provider.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the tarball', () => {
  test('has no dependencies, and the types of its entries', () => {
    const installed = join(folder, 'node_modules/observation-masking')
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(Object.keys(manifest.exports)).toEqual(
      expect.arrayContaining(['.', './fetch', './proxy', './repair', './loop']),
    )
    for (const { types } of Object.values<{ types?: string }>(manifest.exports)) {
      if (types !== undefined) expect(existsSync(join(installed, types))).toBe(true)
    }
    const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['undici', 'hono', 'jsonc-parser']) expect(licences).toContain(`${name} `)
  })

  test('masks a compressed file as it does the plain one', async () => {
    writeFileSync(join(folder, 'chat.json'), ROUTE_BODY)
    writeFileSync(join(folder, 'chat.json.gz'), gzipSync(ROUTE_BODY))
    const bin = join(folder, 'node_modules/.bin/observation-masking')
    // A file is looked for in the folder of the command, whatever npm script it is a part of.
    const elsewhere = { ...process.env, INIT_CWD: root }
    const masked = (file: string) =>
      run(bin, ['mask', file, '--window-turns', '1'], { cwd: folder, env: elsewhere })
    const plain = await masked('chat.json')
    expect(plain.stdout).not.toBe(ROUTE_BODY)
    expect(await masked('chat.json.gz')).toEqual(plain)
  })

  test('has commands that print their help, and a policy that masks', async () => {
    const bin = (name: string, flag: string) =>
      run(join(folder, 'node_modules/.bin', name), [flag], { cwd: folder })
    expect((await bin('observation-masking', '--help')).stdout).toContain('\n  mask ')
    expect((await bin('observation-masking-proxy', '--help')).stdout).toContain('--example')
    const { stdout } = await bin('observation-masking-proxy', '--example')
    expect(stdout).toMatch(/^\[observation_masking\.schema1\]\n.*\nenabled = true\n/)
  })

  test('has no React and no Node in what is masked with', () => {
    for (const name of ['index', 'fetch', 'repair']) {
      const text = readFileSync(join(folder, `node_modules/observation-masking/${name}.js`), 'utf8')
      expect(text).not.toMatch(/from ["'](?:node:|react)/)
    }
  })

  test('has types for strict TypeScript with the resolution of Node', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { type MaskReport, maskOldToolResults, DEFAULT_POLICY } from 'observation-masking'
import { withObservationMasking } from 'observation-masking/fetch'
import { createProxy } from 'observation-masking/proxy'
import { repairArguments } from 'observation-masking/repair'
import { createToolLoop } from 'observation-masking/loop'
const onReport = ({ maskedResults, outcome }: MaskReport): string => \`\${outcome} \${maskedResults}\`
export const masking: typeof fetch = withObservationMasking(fetch, { windowTurns: 2 }, { onReport })
export const messages: readonly { role: string }[] = maskOldToolResults([{ role: 'user' }], DEFAULT_POLICY)
export const used = [createProxy, repairArguments, createToolLoop]
// @ts-expect-error A setting has its type.
withObservationMasking(fetch, { windowTurns: '2' })
`,
    )
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const files = ['use.ts', 'exported-library.ts', 'exported-fetch.ts']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, ...flags, ...types, ...files], {
      cwd: folder,
      stdio: 'inherit',
    })
  })
})

describe("the README's examples, with the real clients", () => {
  /** The bodies of the three ways, six requests each. */
  const sent = (way: number) => provider.texts.slice(way * 6, way * 6 + 6)

  test.each([
    ['the wrapper', 'wrapper', 1],
    ['the proxy', 'proxy', 2],
  ] as const)(
    'get the same answers through %s, and send the same history, masked',
    (_, name, way) => {
      const answer = `saw ${HISTORIES.chat.length} messages`
      expect(output.answers.direct).toEqual(Array.from({ length: 6 }, () => answer))
      expect(output.answers[name]).toEqual(output.answers.direct)
      for (const [at, direct] of sent(0).entries()) {
        const masked = sent(way)[at] as string
        // 30 turns, a window of 8 that moves at break-even.
        expect(masked.split('[Observation masqu').length - 1).toBe(19)
        const restored = masked.replace(/"\[Observation masqu[^"]*"/g, () => JSON.stringify(OLD))
        expect(restored).toBe(direct)
      }
    },
  )

  test('mask in a route of a Node server; with the flag off, the body is the same byte for byte', () => {
    expect(output.answers.route).toEqual(['saw 7 messages', 'saw 7 messages'])
    const [masked = '', plain = ''] = provider.texts.slice(-2)
    expect(plain).toBe(ROUTE_BODY)
    const { messages } = JSON.parse(masked)
    expect(messages[2]).toEqual({ ...ROUTE[2], content: expect.stringContaining('call_0') })
    expect(messages[2].content).not.toBe(OLD)
    expect(messages.toSpliced(2, 1)).toEqual(ROUTE.toSpliced(2, 1))
  })

  test('mask as the exports of the page do, which name the package of the site', async () => {
    const results = output.exported.filter(({ role }) => role === 'tool')
    expect(results.filter(({ content }) => content !== OLD)).toHaveLength(19)
    expect(JSON.parse(sent(3)[0] as string).messages).toEqual(output.exported)
    writeFileSync(join(folder, 'history.json'), JSON.stringify(HISTORIES.chat))
    const { stdout } = await run('sh', ['-c', exported('command')], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(output.exported)
    for (const id of ['library', 'fetch', 'proxy', 'command']) {
      expect(exported(id)).toContain('npm install https://masking.example/observation-masking.tgz')
    }
  })

  test('mask messages, count tokens, repair arguments and run a loop', () => {
    const results = output.masked.filter(({ role }) => role === 'tool')
    expect(results.filter(({ content }) => content !== OLD)).toHaveLength(TURNS - 8)
    expect(output.tokens).toBe(2)
    expect(output.repaired).toMatchObject({ state: 'repaired', text: '{"a": 1}' })
    expect(output.loop).toBe('function')
  })
})
