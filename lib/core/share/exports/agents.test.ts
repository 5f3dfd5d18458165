import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { FORMAT_IDS } from '../../formats/format-ids'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy, POLICY_FIELDS } from '../../policy/policy'
import { anyPolicy, anyToolNames } from '../../testing/policies'
import { forAll } from '../../testing/test-size'
import { readPolicyToml } from '../toml/policy-toml'
import { AGENTS, CLIENT_FILE, LIBRARIES, setupScript, stepsOf } from './agents'

const CLIENTS = [...AGENTS, ...LIBRARIES]
const ADDRESS = 'https://host/observation-masking.tgz'
const folder = mkdtempSync(join(tmpdir(), 'agents-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The lines and arguments that a shell gets to see; the programs print theirs. */
function runInShell(script: string): string[] {
  const environment = { ...process.env, HOME: folder, OPENAI_API_KEY: 'a key' }
  const { stdout, stderr } = spawnSync('sh', [], {
    ...{ cwd: folder, env: environment, encoding: 'utf8', input: script, timeout: 20_000 },
  })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

const prints = (command: string) => `${command}() { printf '%s\\0' ${command} "$@"; }\n`

/** Programs that print their arguments, and a proxy that says when it is ended. */
const PROGRAMS = `npm() { if [ "$1" = root ]; then echo .; else printf '%s\\0' npm "$@"; fi; }\n`
mkdirSync(join(folder, '.bin'))
const PROXY_PROGRAM = `#!/bin/sh
sleep 60 &
trap "echo ended >> proxy.log; kill $!" TERM
printf '%s ' "$@"
wait
`
writeFileSync(join(folder, '.bin', 'observation-masking-proxy'), PROXY_PROGRAM, { mode: 0o755 })

test('a shell that runs the block of a client has policy, proxy and client, all as the table says', () => {
  const anyWritable = fc.tuple(anyPolicy, anyToolNames).map(([policy, excludeTools]) => {
    const windowTurns = Math.max(0, policy.windowTurns)
    // A file in UTF-8 has no half of a character.
    const placeholderTemplate = policy.placeholderTemplate.toWellFormed()
    return { ...policy, excludeTools, windowTurns, placeholderTemplate }
  })
  const ends = { ...DEFAULT_POLICY, placeholderTemplate: `it's\nEND_OF_FILE\n$HOME` }
  const examples = CLIENTS.map((client): [typeof client, MaskPolicy] => [client, ends])
  const check = (client: (typeof CLIENTS)[number], policy: MaskPolicy) => {
    const block = setupScript(client, policy, ADDRESS)
    const isLibrary = 'code' in client
    // The agent goes on once its proxy runs.
    const waits = '{ until [ -s proxy.log ]; do :; done; '
    const program = isLibrary ? prints('npx') : prints(client.command).replace('{ ', waits)
    rmSync(join(folder, 'proxy.log'), { force: true })
    const isEnded = isLibrary ? '' : '\nuntil grep -q ended proxy.log; do :; done'
    const seen = runInShell(`${PROGRAMS}${program}${block}${isEnded}`)
    const start = ['--target', client.target, '--config', 'policy.toml']
    if (isLibrary) {
      expect(seen.slice(3)).toEqual(['npx', 'observation-masking-proxy', ...start])
      expect(readFileSync(join(folder, CLIENT_FILE), 'utf8')).toBe(`${client.code}\n`)
    } else {
      const { args = [], setup, file } = client
      const called = [...(setup ? [client.command, ...setup] : []), client.command, ...args]
      expect(seen.slice(3)).toEqual(called.map(expanded))
      const log = readFileSync(join(folder, 'proxy.log'), 'utf8')
      expect(log).toBe(`${start.join(' ')} ended\n`)
      if (file) expect(readFileSync(join(folder, file.path), 'utf8')).toBe(`${file.text}\n`)
    }
    expect(seen.slice(0, 3)).toEqual(['npm', 'install', ADDRESS])
    const read = readPolicyToml(readFileSync(join(folder, 'policy.toml'), 'utf8'))
    const more = 'policy' in client ? client.policy : {}
    const isSame = read.state === 'read' && isSamePolicy(read.policy, { ...policy, ...more })
    expect([block, isSame]).toEqual([block, true])
  }
  forAll(100, [fc.constantFrom(...CLIENTS), anyWritable], check, { examples })
})

test('a file of the user is not overwritten', () => {
  const gemini = AGENTS.find(({ file }) => file !== undefined) as (typeof AGENTS)[number]
  const path = join(folder, gemini.file?.path ?? '')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'mine')
  runInShell(`${PROGRAMS}${prints(gemini.command)}${setupScript(gemini, DEFAULT_POLICY, ADDRESS)}`)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

const expanded = (text: string) => text.replace('$OPENAI_API_KEY', 'a key')

test.each(AGENTS)('$name starts with the arguments and variables of the table', (agent) => {
  const { command, args = [], env = {}, setup } = agent
  const steps = stepsOf(agent).filter(({ kind }) => kind !== 'file')
  const variables = Object.keys(env).map((name) => `printf '%s\\0' "$${name}"\n`)
  const script = [prints(command), ...steps.map(({ text }) => `${text}\n`), ...variables].join('')
  expect(runInShell(script)).toEqual(
    [...(setup ? [command, ...setup] : []), command, ...args, ...Object.values(env)].map(expanded),
  )
})

test.each(CLIENTS)('all that the table says of $name is known', (client) => {
  const known = 'name package api target command args env file policy setup format note code'
  expect(known.split(' ')).toEqual(expect.arrayContaining(Object.keys(client)))
  expect(stepsOf(client).at(-1)?.kind).toBe('code' in client ? 'code' : 'run')
  if ('code' in client) return
  expect([undefined, ...FORMAT_IDS]).toContain(client.format)
  const fields = POLICY_FIELDS.map(({ key }) => key)
  expect(fields).toEqual(expect.arrayContaining(Object.keys(client.policy ?? {})))
})
