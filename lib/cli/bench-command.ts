import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeProblem } from '../core/problem'
import { loadEncoding } from '../core/tokens/encoding'
import { benchTable } from './bench-table'
import { chooseEncoding, MODEL_FLAG } from './count-tokens'
import { type DocumentMeasure, measureDocument, sumMeasures } from './measure-document'
import type { ParsedFlags } from './parse-flags'
import { POLICY_FLAGS, policyFromFlags, readConfig } from './policy-flags'
import { readConversations, readText } from './read-input'
import type { Command } from './run-command'
import { UsageError } from './usage-error'

const SAMPLES = fileURLToPath(new URL('../../public/samples/', import.meta.url))

interface MeasuredFile {
  readonly file: string
  readonly measure: DocumentMeasure
}

export const benchCommand: Command = {
  usage: [
    'Measures what masking does to a conversation: tokens and characters of the request that would be sent next.',
    '',
    'npm run --silent bench -- [FILE] [flags]    a table; without FILE, of the samples of this project',
    'npm run --silent bench -- [FILE] --json     the same as one JSON object',
    '',
    'Nothing is fetched. Exit status 2, and no output, when something is wrong.',
  ].join('\n'),
  flags: [
    { name: 'json', kind: 'switch', help: 'print one JSON object instead of a table' },
    ...POLICY_FLAGS,
    MODEL_FLAG,
  ],
  run: async (flags, context) => {
    const [named] = flags.positionals
    const policy = policyFromFlags(flags, await readConfig(flags, context))
    const encoding = await loadEncoding(chooseEncoding(flags))
    const measured: MeasuredFile[] = []
    for (const name of filesOf(flags)) {
      const document = readConversations(name, await readText(name, context))
      for (const problem of document.problems) context.warn(`${name}: ${describeProblem(problem)}`)
      const measure = measureDocument(document, policy, encoding)
      measured.push({ file: named ?? basename(name), measure })
    }
    const total = sumMeasures(measured.map(({ measure }) => measure))
    if (flags.values.get('json') !== true) {
      const rows = measured.map(({ file, measure }) => [file, measure] as const)
      const heading = policy.enabled ? `window ${policy.windowTurns}` : 'masking off'
      return `${heading}, tokens of ${encoding.id}\n\n${benchTable(rows, total)}`
    }
    const files = measured.map(({ measure, ...rest }) => ({ ...rest, ...measure }))
    const settings = { window_turns: policy.windowTurns, encoding: encoding.id }
    const printed =
      named === undefined ? { ...settings, ...total, files } : { ...settings, ...files[0] }
    return `${JSON.stringify(printed, null, 2)}\n`
  },
}

/** The file named, or all samples of the project. */
function filesOf({ positionals }: ParsedFlags): readonly string[] {
  if (positionals.length > 1)
    throw new UsageError(`One file at a time: found ${positionals.join(', ')}.`)
  return positionals.length === 1 ? positionals : sampleFiles()
}

function sampleFiles(): string[] {
  return readdirSync(SAMPLES)
    .filter((name) => /\.jsonl?$/.test(name) && name !== 'index.json')
    .sort()
    .map((name) => join(SAMPLES, name))
}
