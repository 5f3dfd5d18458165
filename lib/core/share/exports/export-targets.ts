import { aiSdkExport } from './ai-sdk-export'
import { anthropicExport } from './anthropic-export'
import type { ExportTarget } from './export-target'
import { langchainExport } from './langchain-export'
import { langgraphExport } from './langgraph-export'
import { command, fetchWrapper, json, library, proxy, toml } from './native-exports'
import { openhandsExport } from './openhands-export'
import { litellmExport, pythonExport } from './python-exports'
import { sweAgentExport } from './swe-agent-export'
import { withHeader } from './with-header'

/** All exports, in the order shown. A new export is a file in this folder and an entry here. */
export const EXPORT_TARGETS: readonly ExportTarget[] = [
  toml,
  json,
  library,
  fetchWrapper,
  proxy,
  command,
  pythonExport,
  litellmExport,
  anthropicExport,
  langchainExport,
  langgraphExport,
  aiSdkExport,
  sweAgentExport,
  openhandsExport,
].map(withHeader)
