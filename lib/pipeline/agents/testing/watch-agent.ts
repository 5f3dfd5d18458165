/** Runs an agent with the command `watch`, in front of a provider that asks for its tools. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../../../core/share/exports/agents'
import { writePolicyToml } from '../../../core/share/toml/policy-toml'
import { startProviderServer } from '../../../core/testing/provider-server'
import { type AgentRun, answerTo, KEYS, makeHome, PAUSE, policyOf, RUNS, run } from './run-agent'

const COMMAND = [join(import.meta.dirname, '../../../../scripts/run.mjs'), 'lib/cli/main.ts']

/** The command gives it its variables and arguments and masks what it sends. */
export async function watchAgent(agent: Agent, folder: string, model: string) {
  const { args, tool } = RUNS[agent.command] as AgentRun
  const { home, cwd } = makeHome(agent)
  const provider = await startProviderServer({
    isStrict: true,
    pause: PAUSE,
    answer: (body) => answerTo(body, tool),
  })
  const config = join(home, 'policy.toml')
  writeFileSync(config, writePolicyToml(policyOf(agent)))
  writeFileSync(join(home, 'index.html'), '<head></head>')
  const target = new URL(new URL(agent.target).pathname, provider.baseUrl).href
  const to = ['anthropic', 'openai', 'gemini'].flatMap((name) => [`--${name}`, target])
  const own = ['--no-open', '--port', '0', '--site', home, '--config', config, ...to]
  const record = join(home, 'record')
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...KEYS, INIT_CWD: cwd }
  const command = join(folder, 'node_modules/.bin', agent.command)
  const started = [command, ...args(model)]
  const ended = await run(
    process.execPath,
    [...COMMAND, 'watch', ...own, '--record', record, '--', ...started],
    cwd,
    { ...env, NODE_ENV: 'production' },
  )
  await provider.close()
  const records = readdirSync(record).map((name) => readFileSync(join(record, name), 'utf8'))
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  return { ...ended, provider, records }
}
