/** How agents and libraries are put behind the proxy: what to set, and where. `docs/agents.md` is made from these tables. */

import type { MaskPolicy } from '../../../core/policy/policy'

/** The proxy's address, as it is by default and stands in the tables. */
export const PROXY = 'http://127.0.0.1:8787'

interface Client {
  readonly name: string
  /** Its npm package with the version that was tried. */
  readonly package: string
  readonly api: 'Anthropic Messages' | 'Chat Completions' | 'Gemini' | 'Responses'
  /** The provider's address, for `--target`. */
  readonly target: string
}

export interface Agent extends Client {
  /** Its command, and the arguments that lead it to the proxy. */
  readonly command: string
  readonly args?: readonly string[]
  /** Variables of its process. */
  readonly env?: Readonly<Record<string, string>>
  /** A file in the home folder, and what it has to have. */
  readonly file?: { readonly path: string; readonly text: string }
  /** What else the policy has to have so that its results are masked. */
  readonly policy?: Partial<MaskPolicy>
  /** Arguments with which it is run once before. */
  readonly setup?: readonly string[]
}

/** A library, and the code that makes its client. */
export interface Library extends Client {
  readonly code: string
}

const ANTHROPIC = { api: 'Anthropic Messages', target: 'https://api.anthropic.com' } as const
const CHAT = { api: 'Chat Completions', target: 'https://api.openai.com/v1' } as const

export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code@2.1.332',
    ...ANTHROPIC,
    command: 'claude',
    env: { ANTHROPIC_BASE_URL: PROXY },
  },
  {
    name: 'Codex',
    package: '@openai/codex@0.171.0',
    api: 'Responses',
    target: CHAT.target,
    command: 'codex',
    args: [
      ...['-c', 'model_provider=masked', '-c', 'model_providers.masked.name=OpenAI'],
      ...['-c', `model_providers.masked.base_url=${PROXY}/v1`],
      ...['-c', 'model_providers.masked.env_key=OPENAI_API_KEY'],
      ...['-c', 'model_providers.masked.wire_api=responses'],
    ],
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli@0.61.0',
    api: 'Gemini',
    target: 'https://generativelanguage.googleapis.com',
    command: 'gemini',
    // With a base URL and no choice of its own, it takes another kind of login, which it then refuses.
    file: {
      path: '.gemini/settings.json',
      text: '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
    },
    env: { GOOGLE_GEMINI_BASE_URL: PROXY },
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    ...ANTHROPIC,
    command: 'opencode',
    env: {
      OPENCODE_CONFIG_CONTENT: `{ "provider": { "anthropic": { "options": { "baseURL": "${PROXY}/v1" } } } }`,
    },
  },
  {
    name: 'Kilo',
    package: '@kilocode/cli@7.7.7',
    ...CHAT,
    command: 'kilo',
    env: {
      KILO_CONFIG_CONTENT: `{ "model": "masked/gpt-5.5", "provider": { "masked": {
  "npm": "@ai-sdk/openai-compatible", "models": { "gpt-5.5": {} },
  "options": { "baseURL": "${PROXY}/v1", "apiKey": "{env:OPENAI_API_KEY}" } } } }`,
    },
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code@0.24.4',
    api: 'Chat Completions',
    target: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    command: 'qwen',
    args: ['--auth-type', 'openai'],
    // Its results are lists of one text.
    policy: { textParts: true },
    env: { OPENAI_BASE_URL: `${PROXY}/v1`, OPENAI_MODEL: 'qwen3-coder-plus' },
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent@0.74.2',
    ...ANTHROPIC,
    command: 'pi',
    args: ['--provider', 'anthropic'],
    file: {
      path: '.pi/agent/models.json',
      text: `{ "providers": { "anthropic": { "baseUrl": "${PROXY}" } } }`,
    },
  },
  {
    name: 'Cline',
    package: 'cline@3.0.65',
    ...CHAT,
    command: 'cline',
    setup: ['auth', 'openai', '-k', '$OPENAI_API_KEY', '-m', 'gpt-5.5', '-b', `${PROXY}/v1`],
  },
  {
    name: 'Continue CLI',
    package: '@continuedev/cli@1.5.47',
    ...ANTHROPIC,
    command: 'cn',
    file: {
      path: '.continue/config.yaml',
      text: `name: masked
version: 0.0.1
schema: v1
models:
  - name: claude
    provider: anthropic
    model: claude-sonnet-4-5
    apiKey: \${{ secrets.ANTHROPIC_API_KEY }}
    apiBase: ${PROXY}/v1/`,
    },
  },
  {
    name: 'Copilot CLI',
    package: '@github/copilot@1.0.102',
    ...CHAT,
    command: 'copilot',
    env: {
      COPILOT_PROVIDER_BASE_URL: `${PROXY}/v1`,
      COPILOT_PROVIDER_API_KEY: '$OPENAI_API_KEY',
      COPILOT_MODEL: 'gpt-5.5',
    },
  },
]

export const LIBRARIES: readonly Library[] = [
  {
    name: 'openai',
    package: 'openai@6.49.0',
    ...CHAT,
    code: `import OpenAI from 'openai'

export const client = new OpenAI({ baseURL: '${PROXY}/v1' })`,
  },
  {
    name: '@anthropic-ai/sdk',
    package: '@anthropic-ai/sdk@1.12.0',
    ...ANTHROPIC,
    code: `import Anthropic from '@anthropic-ai/sdk'

export const client = new Anthropic({ baseURL: '${PROXY}' })`,
  },
  {
    name: 'AI SDK',
    package: '@ai-sdk/openai-compatible@2.0.91',
    ...CHAT,
    code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'

export const provider = createOpenAICompatible({
  name: 'masked',
  baseURL: '${PROXY}/v1',
  apiKey: process.env.OPENAI_API_KEY,
})`,
  },
  {
    name: 'LangChain',
    package: '@langchain/openai@1.6.0',
    ...CHAT,
    code: `import { ChatOpenAI } from '@langchain/openai'

export const model = new ChatOpenAI({
  model: 'gpt-5.5',
  configuration: { baseURL: '${PROXY}/v1' },
})`,
  },
]
