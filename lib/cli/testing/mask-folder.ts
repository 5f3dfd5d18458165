import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maskCommand } from '../mask-command'
import { outcomeOf } from '../run-command'

const turn = (id: string, content: string) =>
  `{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","function":{"name":"read"}}]},\r\n{"role":"tool","tool_call_id":"${id}","content":${content}}`
/** A chat of three turns, the second one an error. */
export const TEXT = `\ufeff[${turn('a', '"old 😀"')}, ${turn('b', '"error: no"')},${turn('c', '"new"')}]`

/** A folder with that chat, in which `mask` runs. */
export function maskFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'mask-command-'))
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content)
  put('chat.json', TEXT)
  const run = (...args: string[]) =>
    outcomeOf(maskCommand, args, { folder, readStandardInput: async () => Buffer.from(TEXT) })
  return { put, run, remove: () => rmSync(folder, { recursive: true }) }
}
