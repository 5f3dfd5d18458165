/** The command in a process of its own: what the agent gets, and what is left when it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { answerOk, endAll, startProvider } from '../proxy/testing/start-proxy'
import { createTargets, startOf } from './clients'
import { watch } from './watch-command'

const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'watch-command-'))
const temporary = join(folder, 'temporary')
mkdirSync(temporary)
writeFileSync(join(folder, 'index.html'), '<head></head>')
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command to its end; the folder for temporary files is one of its own. */
async function runWatch(flags: readonly string[], command: readonly string[] = []) {
  const args = ['lib/cli/main.ts', 'watch', '--no-open', '--site', folder, ...flags]
  const own = command.length === 0 ? [] : ['--', ...command]
  const env = { ...process.env, TMPDIR: temporary, INIT_CWD: folder }
  const child = spawn(process.execPath, [RUN, ...args, ...own], { env })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

/** An agent that sends a request, as a client of OpenAI's does, and prints what it finds. */
const AGENT = `
const messages = [{ role: 'user', content: 'Go' }]
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer secret-1' },
  body: JSON.stringify({ model: 'gpt-5', messages }),
})
const strange = { headers: { 'sec-fetch-site': 'cross-site' } }
const { error } = await (await fetch(process.env.OPENAI_BASE_URL, strange)).json()
const { readdirSync, statSync } = await import('node:fs')
const [own] = readdirSync(process.env.TMPDIR).filter((name) => !name.startsWith('tsx'))
const path = process.env.TMPDIR + '/' + own
while (process.argv[1] !== 'at-once' && !readdirSync(path).join().includes('.jsonl'))
  await new Promise((resolve) => setTimeout(resolve, 50))
console.log(JSON.stringify({
  status: answer.status, refusal: error.message, cwd: process.cwd(), anthropic: process.env.ANTHROPIC_BASE_URL,
  mode: (statSync(path).mode & 0o777).toString(8), files: readdirSync(path),
}))
process.exit(7)
`

test.runIf(process.platform !== 'win32')(
  'an agent is started behind the proxy, and its exit status and an empty folder are what is left',
  async () => {
    const provider = await startProvider(answerOk)
    const agent = [process.execPath, '--input-type=module', '-e', AGENT]
    const { code, output, errors } = await runWatch(
      ['--port', '0', '--openai', provider.url],
      agent,
    )
    expect(errors).toMatch(/^The page beside the agent: http:\/\/127\.0\.0\.1:\d+\/watch\?token=/)
    expect(code).toBe(7)
    const seen = JSON.parse(output)
    expect(seen).toMatchObject({ status: 200, cwd: folder, mode: '700' })
    // It has no flag that lets a page in.
    expect(seen.refusal).toBe('The request is from a page of another site; expected none.')
    expect(seen.anthropic).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(seen.files).toEqual([expect.stringMatching(/^[\da-f]{16}\.jsonl$/), 'policy.toml'])
    expect(provider.bodies).toHaveLength(1)
    expect(readdirSync(temporary).filter((name) => !name.startsWith('tsx'))).toEqual([])

    // What an agent sent last is written, too.
    const kept = join(folder, 'kept')
    const second = await runWatch(
      ['--port', '0', '--openai', provider.url, '--record', kept],
      [...agent, 'at-once'],
    )
    expect(second.errors).toContain(`The sessions are in ${kept}.`)
    expect(statSync(kept).mode & 0o777).toBe(0o700)
    const [secret, ...files] = readdirSync(kept)
    expect(files).toHaveLength(1)
    expect([secret, statSync(join(kept, '.watch-cookie')).mode & 0o777]).toEqual([
      '.watch-cookie',
      0o600,
    ])
    expect(existsSync(join(kept, 'policy.toml'))).toBe(false)
    expect((await runWatch(['--port', '0'], ['no-such-agent'])).code).toBe(127)
  },
  60_000,
)

test.each([
  [['--openai', 'https://me:pw@host'], '--openai has a user name'],
  [['--site', '/none'], 'There is no built page in /none; npm run build makes it.'],
  [['--port', '70000x'], '--port is "70000x"; expected a number from 0 to 65535'],
  [['--port', '70000'], '--port is "70000"; expected a number from 0 to 65535'],
  [['--config', '/none'], 'a policy, which observation-masking-proxy --example prints.'],
  [['--follow', '/'], '--follow is "/"; expected a file of JSON Lines.'],
  [['--prot', '1'], 'There is no flag --prot'],
])('%j is refused with a sentence, before anything is started', async (args, sentence) => {
  const site = args[0] === '--site' ? [] : ['--site', folder]
  await expect(watch([...site, ...args])).rejects.toThrow(sentence)
})

test('headers of clients and paths lead to the provider, which a flag, a variable or the table names', () => {
  const asked = (url: string, headers = {}) => ({ url, headers }) as IncomingMessage
  const flags: Readonly<Record<string, string>> = { gemini: 'https://gemini.example' }
  const environment = { OPENAI_BASE_URL: 'https://router.example/api/v1' }
  const { targetOf } = createTargets((name) => flags[name], environment, undefined)
  const hostOf = (...args: Parameters<typeof asked>) => targetOf(asked(...args)).hostname
  expect(hostOf('/v1/messages?beta=true')).toBe('api.anthropic.com')
  expect(hostOf('/v1/models', { 'anthropic-version': '2023-06-01' })).toBe('api.anthropic.com')
  expect(hostOf('/v1/messages/count_tokens')).toBe('api.anthropic.com')
  for (const path of ['/v1beta/models/gemini-2.5-pro:streamGenerateContent', '/v1alpha/models'])
    expect(hostOf(path)).toBe('gemini.example')
  for (const path of ['/v1/chat/completions', '/responses', '/v1/embeddings', '/v1/models'])
    expect(hostOf(path)).toBe('router.example')
  const qwen = startOf(['qwen', '-p', 'hi'], 'http://127.0.0.1:9', { OPENAI_MODEL: 'mine' })
  expect(qwen.args).toEqual(['--auth-type', 'openai', '-p', 'hi'])
  expect(qwen.variables).toMatchObject({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })
  expect(qwen.variables.OPENAI_MODEL).toBeUndefined()
  const gemini = startOf(['/usr/bin/gemini'], 'http://127.0.0.1:9', {})
  expect(gemini.notes.join()).toContain('~/.gemini/settings.json')
})
