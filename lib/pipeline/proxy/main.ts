#!/usr/bin/env node
/** The proxy as a command: `npm run --silent proxy -- --target https://host/v1 --config policy.toml`. */
import { describeFlags, parseFlags } from '../../cli/flags'
import { isDefault, POLICY_FIELDS } from '../../core/policy/policy'
import { createProxy } from './create-proxy'
import { openPolicyFile } from './policy-file'
import { exampleConfig, PROXY_FLAGS, readProxyFlags } from './proxy-flags'
import { writeSummary } from './proxy-metrics'
import { raiseHeapLimit } from './raise-heap-limit'
import texts from './texts.json' with { type: 'json' }

const say = (sentence: string) => process.stderr.write(`${sentence}\n`)

async function run(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, PROXY_FLAGS)
  if (flags.isOn('help')) {
    process.stdout.write(`${texts.usage.join('\n')}\n\n${describeFlags(PROXY_FLAGS)}\n`)
    return
  }
  if (flags.isOn('example')) {
    process.stdout.write(exampleConfig())
    return
  }
  await serve(readProxyFlags(flags, process.env.INIT_CWD ?? process.cwd()))
}

async function serve(options: ReturnType<typeof readProxyFlags>): Promise<void> {
  raiseHeapLimit()
  const { config, port, host, grace, ...others } = options
  const file = openPolicyFile(config, (problem) => {
    proxy.metrics.addReload(problem)
    say(
      problem === undefined ? `${config} is read again.` : `${problem} The policy before is kept.`,
    )
  })
  const proxy = await createProxy({
    ...others,
    hasFlags: true,
    policy: file.policy,
    policyProblem: file.problem,
    onRequest: (summary) =>
      process.stdout.write(`${writeSummary(summary, new Date().toISOString())}\n`),
    onProblem: say,
  })
  const taken = await proxy.listen(port, host)
  say(`http://${host}:${taken} forwards to ${others.target.href}`)
  const policy = file.policy()
  const settings = POLICY_FIELDS.filter(
    (field) => !isDefault(policy, field) || (!field.isExtension && field.kind !== 'text'),
  ).map(({ key, toml }) => `${toml} = ${JSON.stringify(policy[key])}`)
  say(`Policy: ${settings.join(', ')}.`)
  if (!policy.enabled) say(`${config} has enabled = false, so nothing is masked.`)
  const stop = (signal: string) => {
    // A second signal ends the process at once.
    process.once(signal, () => process.exit(1))
    say(
      `${signal}: no more requests are accepted; those under way end first, within ${grace / 1000} s.`,
    )
    file.close()
    void proxy.close(grace).then(() => say('All requests have ended.'))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  say(code === 'EADDRINUSE' ? `Port ${port} is in use; --port takes another one.` : message)
  process.exitCode = 2
}
