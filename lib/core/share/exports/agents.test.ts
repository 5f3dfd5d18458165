import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { FORMAT_IDS } from '../../formats/format-ids'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy, POLICY_FIELDS } from '../../policy/policy'
import { anyPolicy, anyToolNames } from '../../testing/policies'
import { forAll } from '../../testing/test-size'
import { readPolicyToml } from '../toml/read-policy-toml'
import { AGENTS, LIBRARIES, proxySetup, stepsOf } from './agents'

const CLIENTS = [...AGENTS, ...LIBRARIES]
const ADDRESS = 'https://host/observation-masking.tgz'
const folder = mkdtempSync(join(tmpdir(), 'agents-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The lines and arguments that a shell gets to see; the programs print theirs. */
function runInShell(script: string): string[] {
  const environment = { ...process.env, OPENAI_API_KEY: 'a key' }
  const { stdout, stderr } = spawnSync('sh', [], {
    ...{ cwd: folder, env: environment, encoding: 'utf8', input: script },
  })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

const prints = (command: string) => `${command}() { printf '%s\\0' ${command} "$@"; }\n`

test('a shell that runs the block of a client has the policy in its file, and the proxy started', () => {
  const anyWritable = fc.tuple(anyPolicy, anyToolNames).map(([policy, excludeTools]) => {
    const windowTurns = Math.max(0, policy.windowTurns)
    // A file in UTF-8 has no half of a character.
    const placeholderTemplate = policy.placeholderTemplate.toWellFormed()
    return { ...policy, excludeTools, windowTurns, placeholderTemplate }
  })
  const ends = { ...DEFAULT_POLICY, placeholderTemplate: `it's\nEND_OF_POLICY\n$HOME` }
  const examples = CLIENTS.map((client): [typeof client, MaskPolicy] => [client, ends])
  const check = (client: (typeof CLIENTS)[number], policy: MaskPolicy) => {
    const block = proxySetup(client, policy, ADDRESS)
    expect(runInShell(`${prints('npm')}${prints('npx')}${block}`)).toEqual([
      ...['npm', 'install', ADDRESS, 'npx', 'observation-masking-proxy'],
      ...['--target', client.target, '--config', 'policy.toml'],
    ])
    const read = readPolicyToml(readFileSync(join(folder, 'policy.toml'), 'utf8'))
    const own = 'policy' in client ? client.policy : {}
    const isSame = read.state === 'read' && isSamePolicy(read.policy, { ...policy, ...own })
    expect([block, isSame]).toEqual([block, true])
  }
  forAll(100, [fc.constantFrom(...CLIENTS), anyWritable], check, { examples })
})

test.each(AGENTS)('$name starts with the arguments and variables of the table', (agent) => {
  const { command, args = [], env = {}, setup } = agent
  const expanded = (text: string) => text.replace('$OPENAI_API_KEY', 'a key')
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
