/** The kinds of content that change when a conversation is written as chat completions. */
export const LOSS_KINDS = [
  // Left out.
  'images',
  'reasoning',
  'emptied_messages',
  'other_roles',
  'error_marks',
  // Written in another form.
  'values',
  'joined_texts',
  'non_text',
  'server_tools',
  'moved_results',
  'stand_in_ids',
  'stand_in_names',
  // Written unchanged, but refused by the API.
  'orphan_results',
  'unanswered_calls',
] as const

export type LossKind = (typeof LOSS_KINDS)[number]

/** How many parts of a conversation change in one way. */
export interface Loss {
  readonly kind: LossKind
  readonly count: number
}

/** The sentence for each kind, in the singular and the plural; `{count}` is replaced. */
export const LOSS_SENTENCES: Readonly<Record<LossKind, readonly [one: string, more: string]>> = {
  images: [
    '1 part that is not text (an image, a file) is left out.',
    '{count} parts that are not text (images, files) are left out.',
  ],
  reasoning: [
    'The thinking of 1 message is left out.',
    'The thinking of {count} messages is left out.',
  ],
  emptied_messages: [
    '1 message that has nothing but images, files or thinking is left out.',
    '{count} messages that have nothing but images, files or thinking are left out.',
  ],
  other_roles: [
    '1 message has a role that the API does not know. It is written as a user message if it has text, and left out otherwise.',
    '{count} messages have roles that the API does not know. They are written as user messages if they have text, and left out otherwise.',
  ],
  error_marks: [
    'The error rules may decide differently on 1 result: chat completions have no error mark, and values are JSON text.',
    'The error rules may decide differently on {count} results: chat completions have no error mark, and values are JSON text.',
  ],
  values: [
    '1 result that is an object or another value is written as JSON text.',
    '{count} results that are objects or other values are written as JSON text.',
  ],
  joined_texts: [
    '1 result of several texts is written as one text with a line for each.',
    '{count} results of several texts are each written as one text with a line for each.',
  ],
  non_text: [
    '1 result that is not text here becomes text, and can be masked.',
    '{count} results that are not text here become text, and can be masked.',
  ],
  server_tools: [
    '1 call that the provider answered itself is written like any other call.',
    '{count} calls that the provider answered itself are written like any other calls.',
  ],
  moved_results: [
    '1 result is moved behind its call, where the API expects it.',
    '{count} results are moved behind their calls, where the API expects them.',
  ],
  stand_in_ids: [
    '1 call without an id gets one, so its message becomes a turn.',
    '{count} calls without ids get ids, so their messages become turns.',
  ],
  stand_in_names: [
    '1 call without a name is called “unknown”.',
    '{count} calls without names are called “unknown”.',
  ],
  orphan_results: [
    '1 result answers no call; it is written, but the API refuses it.',
    '{count} results answer no call; they are written, but the API refuses them.',
  ],
  unanswered_calls: [
    '1 call has no result; it is written, but the API accepts it only once it is answered.',
    '{count} calls have no results; they are written, but the API accepts them only once they are answered.',
  ],
}

/** The English sentence of a loss. */
export function describeLoss({ kind, count }: Loss): string {
  const [one, more] = LOSS_SENTENCES[kind]
  return count === 1 ? one : more.replace('{count}', String(count))
}
