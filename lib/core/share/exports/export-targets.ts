import { ENGLISH_COMMENTS, sayIn } from '../../words/comments'
import type { Catalogue } from '../../words/words'
import { openhandsExport, sweAgentExport } from './agent-exports'
import { anthropicExport, langchainExport } from './counting-exports'
import type { ExportInput, ExportTarget } from './export-target'
import { command, json, proxy, toml } from './native-exports'
import { aiSdkExport, fetchWrapper, langgraphExport, library } from './package-exports'
import { litellmExport, pythonExport } from './python-exports'

/** All exports, in the order shown. A new export is a file in this folder and an entry here, and its words. */
const TARGETS = [
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
] as const

export type ExportId = (typeof TARGETS)[number]['id']

/** Exports with their headers, as comments of their languages. */
export const EXPORT_TARGETS = TARGETS.map((target: ExportTarget<ExportId>) => {
  const { id, fileName, mediaType, header } = target
  const mark = mediaType === 'text/typescript' ? '//' : '#'
  const write = (input: ExportInput, comments: Catalogue = ENGLISH_COMMENTS) => {
    const say = sayIn(comments)
    const exported = target.write(input, say)
    if (header === undefined) return exported
    const lines = header(say, input).map((line) => `${mark} ${line}\n`)
    return { ...exported, text: `${lines.join('')}\n${exported.text}` }
  }
  return { id, fileName, mediaType, write }
})
