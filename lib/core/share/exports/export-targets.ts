import { anthropicExport } from './anthropic-export'
import type { ExportTarget } from './export-target'
import { langchainExport } from './langchain-export'
import { command, json, proxy, toml } from './native-exports'
import { openhandsExport } from './openhands-export'
import { aiSdkExport, fetchWrapper, langgraphExport, library } from './package-exports'
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
