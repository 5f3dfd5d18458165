import { readFileSync } from 'node:fs'
import { countBy } from '../core/conversation/add-to-group'
import type { SessionSums } from '../core/fleet/session-line'
import type { ReadDocument } from '../core/formats/read-document'
import { checkHistory } from '../core/integrity/check-history'
import { policyOfModel } from '../core/replay/cache-rules'
import { assumedSlopeOf } from '../core/replay/calibration/calibrate-session'
import { type AdviceSettings, DEFAULT_ADVICE } from '../core/replay/recommend'
import { type Encoding, loadEncoding } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, modelOfDocument } from '../core/tokens/model-families'
import { documentSums, fleetReport, hashOf, sessionLines, writeLines } from './bench-fleet'
import { limitLines } from './bench-limit'
import {
  chosenMechanism,
  MECHANISM_IDS,
  measureMechanisms,
  mechanismsMeasure,
  mechanismsTable,
  pricedHistories,
} from './bench-mechanisms'
import {
  bandLines,
  chargedLines,
  measureTable,
  REQUEST_COLUMNS,
  SESSION_COLUMNS,
  sweepMeasure,
  sweepSessions,
  sweepTable,
} from './bench-tables'
import {
  COST_FLAGS,
  chooseEncoding,
  encodingOfModel,
  MODEL_FLAG,
  type NamedTerms,
  termsFromFlags,
} from './cost-flags'
import { flagsOf, type ParsedFlags, printJson, UsageError } from './flags'
import { warnOfReusedIds } from './mask-command'
import {
  type MeasuredSessions,
  measureDocument,
  measuredSessions,
  replaySessions,
  sessionMeasure,
  sumMeasures,
  sumReplayed,
} from './measure-document'
import { POLICY_FLAGS, readPolicy } from './policy-flags'
import { type BenchFile, benchFiles, readFiles } from './read-files'
import { READ_FLAGS, type ReadChoice, readChoice, readConversations, textOf } from './read-input'
import type { Command, CommandContext } from './run-command'
import texts from './texts.json' with { type: 'json' }

interface MeasuredTerms {
  readonly terms: NamedTerms
  readonly encoding: Encoding
}

interface OpenedFile {
  readonly name: string
  /** Of its content. */
  readonly hash: string
  readonly document: ReadDocument
}

export const benchCommand: Command = {
  usage: texts.bench.usage.join('\n'),
  flags: [
    ...flagsOf(texts.bench.flags, { ...DEFAULT_ADVICE, mechanisms: MECHANISM_IDS }),
    ...READ_FLAGS,
    ...POLICY_FLAGS,
    ...COST_FLAGS,
  ],
  run: async (flags, context) => {
    const isJson = flags.isOn('json')
    if (flags.isOn('merge')) {
      return fleetReport(sessionLines(flags.positionals, context), adviceSettings(flags), isJson)
    }
    const policy = await readPolicy(flags, context)
    const chosen = chosenMechanism(flags, policy)
    const isCompared = chosen !== undefined || flags.isOn('mechanisms')
    const other = ['sweep', 'recommend', 'jsonl'].find((name) => flags.isOn(name))
    if (isCompared && other !== undefined)
      throw new UsageError(`--mechanisms and --${other} print two things; give one of them.`)
    const termsOf = await termsFromFlags(flags)
    const warned = new Set<string>()
    const warn = (sentence: string) => {
      if (!warned.has(sentence)) context.warn(sentence)
      warned.add(sentence)
    }
    const isCalibrated = flags.values.get('calibrate') !== false
    /** One document after the other, so that an archive of many is not in memory at once. */
    const opened = async function* (): AsyncGenerator<OpenedFile & MeasuredTerms> {
      for (const file of benchFiles(flags.positionals, context)) {
        let isEmpty = true
        for await (const one of openFile(file, readChoice(flags), context)) {
          isEmpty = false
          const terms = termsOf(modelOfDocument(one.document.conversations))
          const encoding = await encodingFor(flags, terms, warn)
          if (!policy.nearestCall)
            warnOfReusedIds(one.document, (sentence) => warn(`${one.name}: ${sentence}`))
          yield { ...one, terms, encoding }
        }
        if (file.isNamed && isEmpty)
          throw new UsageError(`${file.name}: none of the files in it is a transcript.`)
      }
    }
    const sessionsOf = ({ document, encoding, terms }: OpenedFile & MeasuredTerms) => {
      const { conversations } = document
      const prepared = measuredSessions(conversations, policy, encoding, terms, isCalibrated)
      const assumed = assumedSlopeOf(terms.model)
      if (prepared.estimatedSlope !== undefined && assumed !== undefined)
        warn(
          `The tokens of ${terms.model} are those of ${encoding.id} × ${assumed.slope}: an estimate (${assumed.source}); --no-calibrate leaves it out.`,
        )
      return prepared
    }
    const isLines = flags.isOn('jsonl')
    if (isLines || flags.isOn('recommend')) {
      const sums: SessionSums[] = []
      for await (const one of opened()) sums.push(...documentSums(one, sessionsOf(one)))
      if (!isLines) return fleetReport(() => sums, adviceSettings(flags), isJson)
      return writeLines(sums, policy, flags)
    }

    if (isCompared || flags.isOn('sweep')) {
      const advice = adviceSettings(flags)
      const all: MeasuredTerms[] = []
      const files: string[] = []
      const prepared: MeasuredSessions[] = []
      const histories: ReturnType<typeof pricedHistories> = []
      const formats = new Set<string>()
      for await (const one of opened()) {
        formats.add(one.document.format.id)
        all.push({ terms: one.terms, encoding: one.encoding })
        files.push(one.name)
        const sessions = sessionsOf(one)
        if (isCompared)
          histories.push(...pricedHistories(one.document.conversations, sessions, one.encoding))
        else prepared.push(sessions)
      }
      const settings = { ...termsMeasure(all), files }
      const heading = `${termsLine(all)}, tokens of ${settings.encoding}\n\n`
      if (isCompared) {
        const measured = measureMechanisms(histories, policy, chosen)
        const [format, ...others] = formats
        if (!isJson)
          return heading + mechanismsTable(measured, others.length > 0 ? undefined : format)
        return printJson({ ...settings, ...mechanismsMeasure(measured) })
      }
      const swept = sweepSessions(prepared, policy.batchTurns)
      const uses = prepared.flatMap(({ sessions }) => sessions.flatMap((one) => one.uses)).length
      const sweepOf = [swept, uses, advice, policy.batchTurns] as const
      if (!isJson) return heading + sweepTable(...sweepOf)
      return printJson({ ...settings, ...sweepMeasure(...sweepOf) })
    }

    const measuresOf = (one: OpenedFile & MeasuredTerms) => {
      const sessions = sessionsOf(one)
      const findings = one.document.conversations.flatMap(checkHistory)
      const own = policyOfModel(policy, one.terms.model)
      return {
        file: one.name,
        terms: one.terms,
        encoding: one.encoding,
        measure: measureDocument(one.document, sessions, own, one.encoding),
        /** The number of places that a provider can reject, by rule; those of arguments and of masking are left out. */
        findings: Object.fromEntries(countBy(findings, ({ rule }) => rule)),
        sessions: replaySessions(sessions, policy),
      }
    }
    const measured: ReturnType<typeof measuresOf>[] = []
    for await (const one of opened()) measured.push(measuresOf(one))
    const settingsMeasure = termsMeasure(measured)
    const total = sumMeasures(measured.map(({ measure }) => measure))
    const allSessions = sessionMeasure(sumReplayed(measured.map(({ sessions }) => sessions)))
    if (!isJson) {
      const requests = measured.map(({ file, measure }) => [file, measure] as const)
      const whole = measured.map(({ file, sessions }) => [file, sessionMeasure(sessions)] as const)
      return [
        `${policy.enabled ? `window ${policy.windowTurns}` : 'masking off'}, tokens of ${settingsMeasure.encoding}${allSessions.calibrated ? ', calibrated to the usage in the input' : ''}`,
        '',
        'Next request',
        measureTable(REQUEST_COLUMNS, requests, total),
        `Whole session, ${termsLine(measured)}`,
        measureTable(SESSION_COLUMNS, whole, allSessions),
        ...bandLines(allSessions),
        ...limitLines(allSessions),
        ...chargedLines(allSessions, measured.length),
      ].join('\n')
    }
    const parts = measured.map((one) => ({
      file: one.file,
      ...termsMeasure([one]),
      ...one.measure,
      ...sessionMeasure(one.sessions),
      history_findings: one.findings,
    }))
    const settings = { window_turns: policy.windowTurns, ...settingsMeasure }
    const isOne = flags.positionals.length === 1 && measured[0]?.file === flags.positionals[0]
    return printJson(
      isOne
        ? { ...settings, ...parts[0] }
        : { ...settings, ...total, ...allSessions, files: parts },
    )
  },
}

/** The encoding to count with. A model with a price is measured even if its tokenizer is unknown. */
async function encodingFor(
  flags: ParsedFlags,
  { model, terms, unknown }: NamedTerms,
  warn: (sentence: string) => void,
): Promise<Encoding> {
  const isNamed = flags.values.has(MODEL_FLAG.name)
  const isPriced = terms.prices.input !== undefined || !isNamed
  const known = isPriced ? encodingOfModel(model) : chooseEncoding(flags)
  for (const sentence of unknown) warn(sentence)
  const id = known ?? DEFAULT_MODEL_FAMILY.encoding
  if (known === undefined) warn(`The tokens of ${model} are counted with ${id}: an estimate.`)
  return loadEncoding(id)
}

/** Opens the transcripts in a file or archive. Other files are skipped with a warning, unless the user named the file. */
async function* openFile(file: BenchFile, choice: ReadChoice, context: CommandContext) {
  for await (const member of readFiles(file.name, file.path, context)) {
    const { isOnly } = member
    const name = isOnly ? file.name : member.name
    let document: ReadDocument
    let text: string
    try {
      const own = textOf({ ...member, name })
      text = [own, ...file.agents.map((path) => readFileSync(path, 'utf8'))].join('\n')
      document = readConversations(name, text, context.warn, choice)
    } catch (error) {
      if (!(error instanceof UsageError) || (file.isNamed && isOnly)) throw error
      context.warn(`Left out: ${error.message}`)
      continue
    }
    const isAlone = file.agents.length === 0 && 'bytes' in member
    yield { name, hash: hashOf(isAlone ? member.bytes : text), document }
  }
}

function adviceSettings(flags: ParsedFlags): AdviceSettings {
  const window = flags.number('smallest-window', /^\d{1,9}$/, 'a whole number of turns')
  const percentage = /^(100(\.0+)?|0?\d{1,2}(\.\d+)?)$/
  const kept = flags.number('keep-uses', percentage, 'a percentage from 0 to 100')
  return {
    ...DEFAULT_ADVICE,
    ...(window !== undefined && { smallestWindow: window }),
    ...(kept !== undefined && { rule: 'keep_uses', keptShare: kept / 100 }),
  }
}

/** The model and terms of files; what differs between them is "by file". */
function termsMeasure(opened: readonly MeasuredTerms[]) {
  const common = <Value>(of: (one: MeasuredTerms) => Value): Value | 'by file' => {
    const values = [...new Set(opened.map(of))]
    return values.length > 1 ? 'by file' : (values[0] as Value)
  }
  return {
    encoding: common(({ encoding }) => encoding.id),
    model: common(({ terms }) => terms.model),
    cache_rule: common(({ terms }) => terms.family.id),
    price_date: common(({ terms }) => terms.priceDate ?? null),
  }
}

function termsLine(opened: readonly MeasuredTerms[]): string {
  const { model, cache_rule: rule, price_date: date } = termsMeasure(opened)
  if (model === 'by file') return 'models, prices and cache rules by file'
  const custom = opened[0]?.terms.terms.prices.input === undefined ? 'no price known' : 'own prices'
  return `${model}, ${date === null ? custom : `prices of ${date}`}, cache rule ${rule}`
}
