/** The first lines of an export: how to install what it needs, and where to put it. JSON has no comments, so no header. */
import type { ExportId, ExportTarget } from './export-target'

/** The package is not in a registry: `npm run package` builds its tarball. */
const INSTALL =
  'npm install ./observation-masking-0.1.0.tgz (npm run package of the playground writes it to dist/)'

const HEADERS: Readonly<Partial<Record<ExportId, readonly string[]>>> = {
  toml: [
    'For Kimi Proxy: replace the tables of these names in its config.toml, then restart it.',
    'Programs that read such a file: the proxy and the commands of the playground (--config FILE).',
  ],
  library: [INSTALL, 'Save as mask.ts beside your agent; call mask(messages) before each request.'],
  fetch: [
    INSTALL,
    'Save as masking-fetch.ts beside your agent, and give it to its client:',
    'new OpenAI({ fetch: maskingFetch }), new Anthropic({ fetch: maskingFetch }), or a provider of the AI SDK.',
  ],
  proxy: [
    INSTALL,
    'Save as policy.toml beside it, and start the proxy with the address of your provider:',
    'npx observation-masking-proxy --target https://api.openai.com/v1 --config policy.toml',
    'Your client then gets http://127.0.0.1:8787/v1 as its base URL.',
  ],
  command: ['Run in a clone of the playground, after npm install.'],
  anthropic: [
    'npm install @anthropic-ai/sdk',
    'Save as context-management.ts beside your agent; the line below says where it goes.',
  ],
  langchain: [
    'npm install langchain',
    'Save as observation-masking.ts beside your agent; the line below says where it goes.',
  ],
  langgraph: [
    'npm install @langchain/langgraph @langchain/core',
    'Save as mask-old-tool-results.ts beside your agent; the line below says where it goes.',
  ],
  ai_sdk: [
    'npm install ai',
    'Save as mask-old-tool-results.ts beside your agent; the line below says where it goes.',
  ],
  swe_agent: [
    'Install SWE-agent: https://swe-agent.com/latest/installation/source/',
    'Save as swe-agent.yaml; add it to your configuration: sweagent run --config config/default.yaml --config swe-agent.yaml',
  ],
  openhands: [
    'Install OpenHands 0.x: pip install openhands-ai',
    'Put this table into the config.toml in the folder where you start OpenHands.',
  ],
}

/** Adds its header to an export, as comments of its language. */
export function withHeader(target: ExportTarget): ExportTarget {
  const lines = HEADERS[target.id]
  if (lines === undefined) return target
  const mark = target.mediaType === 'text/typescript' ? '//' : '#'
  const header = lines.map((line) => `${mark} ${line}\n`).join('')
  return {
    ...target,
    write: (input) => {
      const exported = target.write(input)
      return { ...exported, text: `${header}\n${exported.text}` }
    },
  }
}
