/** Content lost in a chat completions body: the core's sentences as messages with a count. */
import { LOSS_KINDS, LOSS_SENTENCES, type LossKind } from '@/lib/core/convert/loss'

export const losses = Object.fromEntries(
  LOSS_KINDS.map((kind) => {
    const [one, more] = LOSS_SENTENCES[kind]
    return [kind, `{count, plural, one {${one}} other {${more.replace('{count}', '#')}}}`]
  }),
) as Readonly<Record<LossKind, string>>
