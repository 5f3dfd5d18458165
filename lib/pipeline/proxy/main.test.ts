/** The command in a process of its own: its policy file changes, and SIGTERM comes while a request streams. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { parseFlags } from '../../cli/flags'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { readPolicyToml } from '../../core/share/toml/policy-toml'
import { turnOf } from '../../core/testing/conversation-of'
import { exampleConfig, PROXY_FLAGS, readProxyFlags } from './proxy-flags'
import { EVENTS, endAll, post, startProvider } from './testing/start-proxy'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/** As every `npm run` of the commands does. */
const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'proxy-command-'))
let child: ChildProcess | undefined
afterAll(async () => {
  // It has ended by itself, unless the test failed.
  child?.kill('SIGKILL')
  await endAll()
  rmSync(folder, { recursive: true })
})

/** Collects a stream's text; `until` resolves when it has a pattern. */
function textOf(stream: NodeJS.ReadableStream) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (piece: string) => {
    text += piece
  })
  const until = async (pattern: RegExp) => {
    let found = pattern.exec(text)
    for (; found === null; found = pattern.exec(text)) await once(stream, 'data')
    return found
  }
  return { until }
}

test.runIf(process.platform !== 'win32')(
  'a changed policy is used, a broken one is not, and streams end before the process does',
  async () => {
    let streaming: ServerResponse | undefined
    const { url: target, bodies } = await startProvider((_, outgoing, body) => {
      streaming = outgoing.writeHead(200, EVENTS)
      outgoing.write('data: 1\n\n')
      if (String(body) !== '{"stream":true}') outgoing.end()
    })
    const config = join(folder, 'policy.toml')
    const write = (window: string) => {
      const text = `[observation_masking.schema1]\nenabled = true\nwindow_turns = ${window}\n`
      // As editors save: another file takes the name.
      writeFileSync(`${config}.new`, text)
      renameSync(`${config}.new`, config)
    }
    write('8')
    const args = [RUN, MAIN, '--target', target, '--config', config, '--port', '0']
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const errors = textOf(child.stderr as NodeJS.ReadableStream)
    const lines = textOf(child.stdout as NodeJS.ReadableStream)
    const [, url] = await errors.until(/(http:\S+) forwards to/)
    const ask = (text: string) => post(url as string, text, { authorization: 'Bearer secret' })
    const turns = [1, 2].flatMap((n) => turnOf(`c${n}`, `result ${n}`))
    const body = JSON.stringify({ messages: turns })
    await (await ask(body)).text()
    expect(bodies[0]).toBe(body)
    const stranger = await fetch(`${url}/health`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(await stranger.text()).toContain('expected none, or an origin in --allow.')
    write('1')
    await errors.until(/is read again/)
    await (await ask(body)).text()
    expect(bodies[1]).not.toContain('result 1')
    write('"broken')
    await errors.until(/Line 3.*The policy before is kept/)
    await (await ask(body)).text()
    expect(bodies[2]).toBe(bodies[1])

    const answer = await ask('{"stream":true}')
    child.kill('SIGTERM')
    await errors.until(/those under way end first/)
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    streaming?.end('data: [DONE]\n\n')
    expect(await answer.text()).toBe('data: 1\n\ndata: [DONE]\n\n')
    const [line] = await lines.until(/.*"path":"\/v1\/chat\/completions".*"masking":"masked".*/)
    expect(JSON.parse(line)).toMatchObject({ status: 200, masked_results: 1 })
    expect(line).not.toMatch(/secret|result 1/)
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(code).toBe(0)
  },
)

test('the example is a policy that masks, with the settings of Schema 1', () => {
  const policy = { ...DEFAULT_POLICY, enabled: true }
  expect(readPolicyToml(exampleConfig())).toEqual({ state: 'read', policy, problems: [] })
})

test.each([
  [[], '--target is missing'],
  [['--target', 'host/v1'], '--target is "host/v1"; expected an http or https address'],
  [['--target', 'https://me:pw@host/v1'], '--target has a user name or a password; expected'],
  [['--target', 'me:pw@host/v1'], '--target has a user name or a password; expected'],
  [['--target', 'https://host/v1?key=k1'], '--target is "https://host/v1?…"; expected'],
  [['--target', 'https://host'], '--config is missing'],
  [['--target', 'https://host', '--config', 'x', '--port', '70000'], '--port is "70000"; expected'],
  [['--target', 'https://host', '--config', 'x', 'y'], 'Found y; expected flags only'],
  [['--prot', '1'], 'There is no flag --prot'],
])('%j is refused with a sentence', (args, sentence) => {
  expect(() => readProxyFlags(parseFlags(args, PROXY_FLAGS), '/')).toThrow(sentence)
})
