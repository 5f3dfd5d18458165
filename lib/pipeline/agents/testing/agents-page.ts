/** Writes `docs/agents.md` from the tables. */
import { DEFAULT_POLICY } from '../../../core/policy/policy'
import {
  AGENTS,
  type ClientStep,
  LIBRARIES,
  PROXY,
  proxyStart,
  stepsOf,
} from '../../../core/share/exports/agents'
import { writePolicyToml } from '../../../core/share/toml/policy-toml'

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

The versions named were tried with \`TEST_SIZE=large npx vitest run --project agents\`, which installs each and runs it through the proxy against a scripted provider. This page is made from \`lib/core/share/exports/agents.json\`.
`

const block = (kind: string, text: string) => `\n\`\`\`${kind}\n${text}\n\`\`\`\n`

const said = ({ kind, path }: ClientStep) =>
  kind === 'file'
    ? `Add to \`~/${path}\``
    : { once: 'Once', run: 'In another terminal', code: 'In your code' }[kind]

export function agentsPage(): string {
  const clients = [...AGENTS, ...LIBRARIES].map((client) => {
    const { name, package: tried, api } = client
    const policy = 'policy' in client ? client.policy : undefined
    const toml = policy && writePolicyToml({ ...DEFAULT_POLICY, ...policy }, true)
    const extension = toml?.slice(toml.indexOf('\n[') + 1).trim()
    const steps = [
      extension && ` Add to the end of \`policy.toml\`:\n${block('toml', extension)}`,
      ` Start the proxy:\n${block('sh', proxyStart(client))}`,
      ...stepsOf(client).map((step) => ` ${said(step)}:\n${block(step.language, step.text)}`),
    ].filter((step) => step !== undefined)
    const numbered = steps.map((step, at) => `\n${at + 1}.${step}`).join('')
    return `\n## ${name}\n\n${api}; tried with \`${tried}\`.\n${numbered}`
  })
  return [INTRODUCTION, ...clients, CLOSING].join('')
}
