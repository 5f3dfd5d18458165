import { ownMember } from '../../text/json'
import { ENGLISH_COMMENTS, type Say, sayIn } from '../../words/comments'
import type { Catalogue, CommentKey } from '../../words/words'
import files from './export-files.json' with { type: 'json' }
import { type ExportInput, packageAddress, type WriteExport } from './export-target'
import { command, json, toml } from './native-exports'
import { aiSdkExport, fetchWrapper, langgraphExport, library } from './package-exports'
import { litellmHook, pythonModule } from './python-exports'

export type ExportId = keyof typeof files

const WRITERS: Readonly<Record<ExportId, WriteExport>> = {
  toml,
  json,
  library,
  fetch: fetchWrapper,
  proxy: toml,
  command,
  python: pythonModule,
  litellm: litellmHook,
  langgraph: langgraphExport,
  ai_sdk: aiSdkExport,
}

/**
 * All exports, in the order shown. A header says how to install what an export needs and where to put it, as comments of
 * its language; JSON has none. A new export is a row of the table, a writer here, and its words.
 */
export const EXPORT_TARGETS = (Object.keys(WRITERS) as ExportId[]).map((id) => {
  const file: { fileName: string; mediaType: string; header?: readonly string[] } = files[id]
  const { fileName, mediaType, header } = file
  const mark = mediaType === 'text/typescript' ? '//' : '#'
  const write = (input: ExportInput, comments: Catalogue = ENGLISH_COMMENTS) => {
    const say = sayIn(comments)
    const lines = header?.map((line) => `${mark} ${filled(line, input, say)}\n`)
    return (lines === undefined ? '' : `${lines.join('')}\n`) + WRITERS[id](input, say)
  }
  return { id, fileName, mediaType, write }
})

/** A line of a header with its addresses and comments. */
function filled(line: string, input: ExportInput, say: Say): string {
  const { provider } = input
  const address = `http://127.0.0.1:8787${provider.replace(/^https:\/\/[^/]+/, '')}`
  const addresses = { package: packageAddress(input), provider }
  return line.replace(
    /\{(\w+)\}/g,
    (_, key: string) => ownMember(addresses, key) ?? say(key as CommentKey, { address }),
  )
}
