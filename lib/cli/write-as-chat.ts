import { describeLoss, LOSS_KINDS, type LossKind } from '../core/convert/loss'
import { convertToChat } from '../core/convert/to-chat'
import type { ReadDocument } from '../core/formats/read-document'
import type { MaskedDocument } from '../core/mask/mask-document'
import { compactJson } from '../core/text/compact-json'

/**
 * A document's conversations, masked, as bodies of chat completions: one body, or JSON Lines of them. `warn` is told
 * what cannot be carried over, of all of them together.
 */
export function writeAsChat(
  { source, conversations }: ReadDocument,
  { decisions }: Pick<MaskedDocument, 'decisions'>,
  warn: (sentence: string) => void,
): string {
  const bodies = conversations.map((conversation, at) =>
    convertToChat(
      source.text,
      conversation,
      decisions[at]?.map(({ placeholder }) => placeholder),
    ),
  )
  const counts = new Map<LossKind, number>()
  for (const { kind, count } of bodies.flatMap(({ lost }) => lost))
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  for (const kind of LOSS_KINDS) {
    const count = counts.get(kind)
    if (count !== undefined) warn(describeLoss({ kind, count }))
  }
  const [only, ...more] = bodies
  if (only !== undefined && more.length === 0) return only.text
  return bodies.map(({ text }) => `${compactJson(text)}\n`).join('')
}
