/** Runs an agent with the command `watch`, in front of a provider that asks for its tools. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { Agent } from '../../../core/share/exports/agents'
import { writePolicyToml } from '../../../core/share/toml/policy-toml'
import { startProviderServer } from '../../../core/testing/provider-server'
import { type AgentRun, answerTo, KEYS, makeHome, PAUSE, policyOf, RUNS, run } from './run-agent'

const COMMAND = [join(import.meta.dirname, '../../../../scripts/run.mjs'), 'lib/cli/main.ts']

/** Opens the page of a run once its terminal has the address, and takes pictures when it has ended. */
async function photograph(terminal: string, name: string): Promise<void> {
  rmSync(terminal, { force: true })
  const said = () => (existsSync(terminal) ? readFileSync(terminal, 'utf8') : '')
  const addressOf = () => /beside the agent: (http\S+)/.exec(said())?.[1]
  while (addressOf() === undefined) await wait(100)
  const browser = await chromium.launch({
    executablePath: process.env.PLAYWRIGHT_CHROMIUM ?? '',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(addressOf() as string)
  const strip = page.getByRole('region', { name: 'Beside the agent' })
  const seen: string[] = []
  for (let text = ''; !text.includes('No connection'); await wait(250)) {
    const next = (await strip.textContent()) ?? ''
    if (next !== text) seen.push(next)
    text = next
  }
  writeFileSync(`${name}.strip.txt`, seen.join('\n'))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await wait(500)
      await page.screenshot({ path: `${name}-${width}-${colorScheme}.png` })
    }
  }
  await browser.close()
}

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
  const shots = process.env.SHOTS
  const site = shots === undefined ? ['--site', home] : []
  const own = ['--no-open', '--port', '0', ...site, '--config', config, ...to]
  const record = join(home, 'record')
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...KEYS, INIT_CWD: cwd }
  const command = join(folder, 'node_modules/.bin', agent.command)
  const started = [command, ...args(model)]
  const all = [...COMMAND, 'watch', ...own, '--record', record, '--', ...started]
  const variables = { ...env, NODE_ENV: 'production' as const }
  let ended: Awaited<ReturnType<typeof run>>
  if (shots === undefined) ended = await run(process.execPath, all, cwd, variables)
  else {
    // In a terminal, whose session is written beside the pictures of the page.
    const terminal = join(shots, `${agent.command}.terminal`)
    const quoted = [process.execPath, ...all].map((text) => `'${text.replaceAll("'", "'\\''")}'`)
    const shown = photograph(terminal, join(shots, agent.command))
    ended = await run('script', ['-qefc', quoted.join(' '), terminal], cwd, variables)
    await shown
    ended = { ...ended, errors: ended.output }
  }
  await provider.close()
  const files = readdirSync(record).filter((file) => file.endsWith('.jsonl'))
  const records = files.map((name) => readFileSync(join(record, name), 'utf8'))
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  return { ...ended, provider, records }
}
