import type { Conversation } from '../conversation/conversation'

export interface PlacedResults {
  /** The results written after each message, in the order of the conversation. */
  readonly after: ReadonlyMap<number, readonly number[]>
  /** Number of results that are not directly after the message that makes their call. */
  readonly moved: number
  /** Number of results without an id, or whose id no call has; they stay with their message. */
  readonly orphans: number
  /** Ids of the calls that have a result, or their numbers instead. */
  readonly answered: ReadonlySet<string | number | undefined>
}

/**
 * Finds the message that each result must follow: the last one before it that makes its call, otherwise the first one
 * after it. A result is not moved if only other results are between it and that message.
 */
export function placeResults({
  messages,
  calls,
  results,
}: Pick<Conversation, 'messages' | 'calls' | 'results'>): PlacedResults {
  const askers = new Map<string | number, number[]>()
  for (const { id, link, message } of calls) {
    const key = id ?? link
    if (key === undefined) continue
    const known = askers.get(key)
    if (known === undefined) askers.set(key, [message])
    else known.push(message)
  }
  const holdsResult = new Set(results.map(({ message }) => message))
  const runStart = startsOfRuns(messages, holdsResult)
  const after = new Map<number, number[]>()
  const answered = new Set<string | number | undefined>()
  let moved = 0
  let orphans = 0
  for (const [index, { callId, link, message }] of results.entries()) {
    const key = callId ?? link
    const found = key === undefined ? undefined : askers.get(key)
    const asker = found?.findLast((at) => at <= message) ?? found?.[0]
    if (asker === undefined) orphans++
    else {
      answered.add(key)
      const isBehind = asker === message || asker === runStart[message]
      if (!isBehind) moved++
    }
    const place = asker ?? message
    const list = after.get(place)
    if (list === undefined) after.set(place, [index])
    else list.push(index)
  }
  return { after, moved, orphans, answered }
}

/** For each message that holds results, the message before the run of such messages. */
function startsOfRuns(
  messages: Conversation['messages'],
  holdsResult: ReadonlySet<number>,
): readonly number[] {
  const starts: number[] = []
  for (const [index, { isAssistant }] of messages.entries()) {
    const before = index - 1
    const goesOn = holdsResult.has(before) && messages[before]?.isAssistant === false
    starts.push(!isAssistant && goesOn ? (starts[before] as number) : before)
  }
  return starts
}
