/** The first lines of an export: how to install what it needs, and where to put it. JSON has no comments, so no header. */
import type { ExportId, ExportInput, ExportTarget } from './export-target'

/** The package is not in a registry: the build of the site writes it beside the pages. */
const packageOf = ({ site }: ExportInput) => `${site}/observation-masking.tgz`
const install = (input: ExportInput) => `npm install ${packageOf(input)}`

const HEADERS: Readonly<Partial<Record<ExportId, (input: ExportInput) => readonly string[]>>> = {
  toml: () => [
    'For Kimi Proxy: replace the tables of these names in its config.toml, then restart it.',
    'Programs that read such a file: the proxy and the commands of the playground (--config FILE).',
  ],
  library: (input) => [
    install(input),
    'Save as mask.ts beside your agent; call mask(messages) before each request.',
  ],
  fetch: (input) => [
    install(input),
    'Save as masking-fetch.ts beside your agent, and give it to its client:',
    'new OpenAI({ fetch: maskingFetch }), new Anthropic({ fetch: maskingFetch }), or a provider of the AI SDK.',
  ],
  proxy: (input) => [
    install(input),
    'Save as policy.toml beside it, and start the proxy with the address of your provider:',
    `npx observation-masking-proxy --target ${input.provider} --config policy.toml`,
    `Your client then gets http://127.0.0.1:8787${input.provider.replace(/^https:\/\/[^/]+/, '')} as its base URL.`,
  ],
  command: (input) => [install(input), 'Settings with their default are left out.'],
  anthropic: () => [
    'npm install @anthropic-ai/sdk',
    'Save as context-management.ts beside your agent; the line below says where it goes.',
  ],
  langchain: () => [
    'npm install langchain',
    'Save as observation-masking.ts beside your agent; the line below says where it goes.',
  ],
  langgraph: (input) => [
    `npm install @langchain/langgraph @langchain/core ${packageOf(input)}`,
    'Save as mask-old-tool-results.ts beside your agent; the line below says where it goes.',
  ],
  ai_sdk: (input) => [
    `npm install ai ${packageOf(input)}`,
    'Save as mask-old-tool-results.ts beside your agent; the line below says where it goes.',
  ],
  swe_agent: () => [
    'Install SWE-agent: https://swe-agent.com/latest/installation/source/',
    'Save as swe-agent.yaml; add it to your configuration: sweagent run --config config/default.yaml --config swe-agent.yaml',
  ],
  openhands: () => [
    'Install OpenHands 0.x: pip install openhands-ai',
    'Put this table into the config.toml in the folder where you start OpenHands.',
  ],
}

/** Adds its header to an export, as comments of its language. */
export function withHeader(target: ExportTarget): ExportTarget {
  const linesOf = HEADERS[target.id]
  if (linesOf === undefined) return target
  const mark = target.mediaType === 'text/typescript' ? '//' : '#'
  return {
    ...target,
    write: (input) => {
      const exported = target.write(input)
      const header = linesOf(input)
        .map((line) => `${mark} ${line}\n`)
        .join('')
      return { ...exported, text: `${header}\n${exported.text}` }
    },
  }
}
