/** What the worker says of one text, computed when the site was built, so that its first figures wait for no worker. */
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { OpenInput, Part, QuestionName } from './jobs'

export interface KnownAnswers {
  readonly text: string
  readonly encoding: EncodingId
  /** Outputs: `model`, `counts`, and the answers by `keyOfQuestion`. */
  readonly outputs: Readonly<Record<string, unknown>>
}

/** The answers as JSON, which has no arrays of floats and no number that is not finite. */
export function writeAnswers(answers: KnownAnswers): string {
  return JSON.stringify(answers, (_, value: unknown) => {
    if (value instanceof Float64Array) return { $floats: Array.from(value) }
    return typeof value === 'number' && !Number.isFinite(value) ? { $number: `${value}` } : value
  })
}

/** An output as it was before `writeAnswers`. */
function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if ('$number' in value) return Number(value.$number)
  if ('$floats' in value) return Float64Array.from(revive(value.$floats) as number[])
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item)]))
}

/** What a question asks; the same for every document. */
export function keyOfQuestion(name: QuestionName, input: object): string {
  return JSON.stringify([name, { ...input, document: undefined }])
}

export function createKnownAnswers() {
  let known: KnownAnswers | undefined
  /** What was asked before, since some of it is asked again. */
  const revived = new Map<string, unknown>()
  const outputOf = (key: string): unknown => {
    if (!revived.has(key)) revived.set(key, revive(known?.outputs[key]))
    return revived.get(key)
  }
  return {
    learn: (answers: KnownAnswers): void => {
      known = answers
      revived.clear()
    },
    /** The parts that the worker for `encoding` would send; undefined if one of them is not known. */
    find: ({ text, wanted }: OpenInput, encoding: EncodingId): readonly Part[] | undefined => {
      if (known?.encoding !== encoding || known.text !== text) return undefined
      const parts = [
        { name: 'model', at: 0, output: outputOf('model') },
        { name: 'counts', at: 0, output: outputOf('counts') },
        ...wanted.questions.map(({ id, name, input }) => {
          return { name: 'answer', at: id, output: outputOf(keyOfQuestion(name, input)) }
        }),
      ]
      return parts.some(({ output }) => output === undefined) ? undefined : (parts as Part[])
    },
  }
}
