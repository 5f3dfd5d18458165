import { aiSdk } from './ai-sdk'
import { anthropic } from './anthropic'
import type { ExportTarget } from './export-target'
import { langchain } from './langchain'
import { langgraph } from './langgraph'
import { openhands } from './openhands'
import { command, json, library, toml } from './own-code'
import { sweAgent } from './swe-agent'

/** Every form a policy can be taken away in, in the order in which they are offered. */
export const EXPORT_TARGETS: readonly ExportTarget[] = [
  toml,
  json,
  library,
  command,
  anthropic,
  langchain,
  langgraph,
  aiSdk,
  sweAgent,
  openhands,
]
