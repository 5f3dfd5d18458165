import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Command, outcomeOf } from '../run-command'

const turn = (id: string, content: string) =>
  `{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","function":{"name":"read"}}]},\r\n{"role":"tool","tool_call_id":"${id}","content":${content}}`
/** A chat of three turns, the second one an error. */
export const TEXT = `\ufeff[${turn('a', '"old 😀"')}, ${turn('b', '"error: no"')},${turn('c', '"new"')}]`

/** A folder of files, in which a command runs with a standard input; it is removed after the tests of a file. */
export function commandFolder(command: Command, input: string | (() => string)) {
  const folder = mkdtempSync(join(tmpdir(), 'command-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  /** Runs a command line, whose words have spaces between them; `more` are words of any text. */
  const run = async (line = '', ...more: string[]) => {
    const args = [...line.split(' ').filter((word) => word !== ''), ...more]
    const outcome = await outcomeOf(command, args, {
      folder,
      readStandardInput: async () => Buffer.from(typeof input === 'string' ? input : input()),
    })
    const isJson = outcome.status === 0 && args.includes('--json')
    return { ...outcome, json: isJson ? JSON.parse(outcome.output) : undefined }
  }
  return { folder, put, run }
}
