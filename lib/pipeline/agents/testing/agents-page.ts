/** Writes `docs/agents.md` from the tables. */
import { DEFAULT_POLICY } from '../../../core/policy/policy'
import { writePolicyToml } from '../../../core/share/toml/write-policy-toml'
import { AGENTS, type Agent, LIBRARIES, PROXY } from './agents'

const INTRODUCTION = `# Agents and libraries behind the proxy

One block to copy for each client: where it sends its requests instead of to the provider. Once, in a folder of your choice, with the address of the playground in the place of \`https://host\`:

\`\`\`sh
npm install https://host/observation-masking.tgz
npx observation-masking-proxy --example > policy.toml
\`\`\`

The proxy listens on ${PROXY}; start it in that folder and leave it running. Keys and logins stay where they are. A base URL works with \`/v1\` at its end and without. In \`policy.toml\` you set how many turns are kept; the proxy reads the file again when it changes ([operation.md](operation.md)). [pipeline.md](pipeline.md#proxy) has the flags of the proxy and what it reports.

To go back, end the proxy and take out what you have set.
`

const CLOSING = `
## All others

Whatever takes a base URL works the same way: the provider's address goes to \`--target\`, and ${PROXY} or ${PROXY}/v1 into the client. Claude 5 models refuse a request in which what stands before signed thinking has changed: for them, the results there stay as sent ([integrity.md](integrity.md)). Codex with a ChatGPT login, Gemini CLI with a Google login and Copilot CLI with a GitHub login have addresses of their own and are not covered here.

The versions named were tried with \`TEST_SIZE=large npx vitest run --project agents\`, which installs each and runs it through the proxy against a scripted provider. This page is made from \`lib/pipeline/agents/testing/agents.ts\`.
`

const block = (kind: string, text: string) => `\n\`\`\`${kind}\n${text}\n\`\`\`\n`

/** An argument as a shell reads it; a variable stays one. */
export function quoted(text: string): string {
  if (text.startsWith('$')) return `"${text}"`
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text}'`
}

/** What a shell runs to start an agent behind the proxy. */
function startOf({ command, args = [], env = {} }: Agent): string {
  const exports = Object.entries(env).map(([name, text]) => `export ${name}=${quoted(text)}`)
  return [...exports, [command, ...args.map(quoted)].join(' ')].join('\n')
}

export function agentsPage(): string {
  const proxyOf = (target: string) =>
    block('sh', `npx observation-masking-proxy --target ${target} --config policy.toml`)
  const agents = AGENTS.map((agent) => {
    const { name, package: tried, api, target, command, setup, file, policy } = agent
    const added =
      file && ` Add to \`~/${file.path}\`:\n${block(file.path.replace(/.*\./, ''), file.text)}`
    const ran = setup && ` Once:\n${block('sh', [command, ...setup].map(quoted).join(' '))}`
    const toml = policy && writePolicyToml({ ...DEFAULT_POLICY, ...policy }, true)
    const extension = toml?.slice(toml.indexOf('\n[') + 1).trim()
    const steps = [
      extension && ` Add to the end of \`policy.toml\`:\n${block('toml', extension)}`,
      ` Start the proxy:\n${proxyOf(target)}`,
      added ?? ran,
      ` In another terminal:\n${block('sh', startOf(agent))}`,
    ].filter((step) => step !== undefined)
    const numbered = steps.map((step, at) => `\n${at + 1}.${step}`).join('')
    return `\n## ${name}\n\n${api}; tried with \`${tried}\`.\n${numbered}`
  })
  const libraries = LIBRARIES.map(
    ({ name, package: tried, api, target, code }) =>
      `\n## ${name}\n\n${api}; tried with \`${tried}\`.\n\n1. Start the proxy:\n${proxyOf(target)}\n2. In your code:\n${block('js', code)}`,
  )
  return [INTRODUCTION, ...agents, ...libraries, CLOSING].join('')
}
