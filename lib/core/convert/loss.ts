/**
 * The kinds of content that change when a conversation is written as chat completions, with their sentences in `losses.json`,
 * in the singular and the plural: what is left out, what is written in another form, and what the API refuses.
 */
import sentences from './losses.json' with { type: 'json' }

export type LossKind = keyof typeof sentences

export const LOSS_KINDS = Object.keys(sentences) as readonly LossKind[]

/** The English sentence of a loss: how many parts of a conversation change in one way. */
export function describeLoss({ kind, count }: { kind: LossKind; count: number }): string {
  const [one = '', more = ''] = sentences[kind]
  return count === 1 ? one : more.replace('{count}', String(count))
}
