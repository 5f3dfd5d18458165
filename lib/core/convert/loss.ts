/** What a conversation is not, or not quite, in chat completions; each with how many there are. */
export const LOSS_KINDS = [
  // Left out.
  'images',
  'reasoning',
  'other_roles',
  'error_marks',
  // Written otherwise.
  'values',
  'joined_texts',
  'non_text',
  'server_tools',
  'moved_results',
  'stand_in_ids',
  'stand_in_names',
  // Written as it is, though the API refuses it.
  'orphan_results',
  'unanswered_calls',
] as const

export type LossKind = (typeof LOSS_KINDS)[number]

export interface Loss {
  readonly kind: LossKind
  readonly count: number
}

/** The sentences for what is lost; `{count}` is filled in, and one is spoken of in the singular. */
export const LOSS_SENTENCES: Readonly<Record<LossKind, readonly [one: string, more: string]>> = {
  images: [
    '1 part that is no text (an image, a file) is left out.',
    '{count} parts that are no text (images, files) are left out.',
  ],
  reasoning: [
    'The thinking of 1 message is left out.',
    'The thinking of {count} messages is left out.',
  ],
  other_roles: [
    '1 message of a role the API does not know is left out, or written as the user’s where it has text.',
    '{count} messages of roles the API does not know are left out, or written as the user’s where they have text.',
  ],
  error_marks: [
    '1 result meets other error rules there: marks of its format, and lines inside an object, are not seen.',
    '{count} results meet other error rules there: marks of their format, and lines inside objects, are not seen.',
  ],
  values: [
    '1 result that is an object or another value is written as JSON text.',
    '{count} results that are objects or other values are written as JSON text.',
  ],
  joined_texts: [
    '1 result of several texts is written as one, a line for each.',
    '{count} results of several texts are written as one, a line for each.',
  ],
  non_text: [
    '1 result that is no text here is text there, and can be masked.',
    '{count} results that are no text here are text there, and can be masked.',
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
    '1 call without an id is given one, which makes a turn of its message.',
    '{count} calls without ids are given some, which makes turns of their messages.',
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
