/**
 * Finds where answers of a model use what only tool results had told it. A *later use* is a specific term in an answer
 * that stood in a result of the request, and nowhere else in that request.
 */
import {
  indexByMessage,
  type Message,
  type MessageTexts,
  type ReadConversation,
  type ToolCall,
} from '../conversation/conversation'
import { callAt, type IdLink, linkIds } from '../replay/decide-request'
import { answerEnd, type Session } from '../replay/sessions'
import { resultOf, type Steps } from '../steps'
import { type Candidate, findTerms, type TermKind } from './find-terms'
import { createTermIndex } from './term-index'

export type UsePart = 'text' | 'reasoning' | 'arguments'

/** A term of an answer that the request had in its tool results only. */
export interface LaterUse {
  readonly term: string
  readonly kind: TermKind
  /** The newest result that had it, by index, and its tool turn, from 0. */
  readonly result: number
  readonly turn: number
  /** All results that had it, ascending. */
  readonly holders: readonly number[]
  /** Index of the request that the answer answers. */
  readonly request: number
  /** The answer, or the one of its messages that has the term. */
  readonly message: number
  readonly where: UsePart
  /** Index of the call whose arguments have it. */
  readonly call: number | undefined
  /** Tool turns from that of the result to the answer. A window of as many turns keeps the result. */
  readonly distance: number
}

interface AnswerText {
  readonly message: number
  readonly where: UsePart
  readonly call: number | undefined
  readonly text: string
}

interface AnswerTerms extends Omit<AnswerText, 'text'> {
  readonly candidates: readonly Candidate[]
}

/** Finds all later uses of a session, in the order of the requests. `conversation` is its longest one, with texts. */
export function findLaterUses(
  session: Pick<Session, 'conversation' | 'requests'>,
  conversation: ReadConversation,
): LaterUse[] {
  return resultOf(findLaterUsesInSteps(session, conversation))
}

/** The same, message by message: yields the characters of each. All messages are yielded twice. */
export function* findLaterUsesInSteps(
  session: Pick<Session, 'conversation' | 'requests'>,
  conversation: ReadConversation,
): Steps<LaterUse[]> {
  const { messages, results } = conversation
  const index = createTermIndex()
  const addAll = ({ term, parts }: Candidate): void => {
    index.add(term)
    for (const part of parts) addAll(part)
  }
  const callsOf = indexByMessage(conversation.calls)
  const resultsOf = indexByMessage(results)
  const ownTexts = (message: number): readonly string[] => {
    const { contents } = conversation.messageTexts[message] as MessageTexts
    const ofResults = (resultsOf.get(message) ?? []).flatMap(resultTextsOf)
    return contents.slice(0, contents.length - ofResults.length)
  }
  const resultTextsOf = (result: number) => conversation.resultTexts[result] as readonly string[]
  const textsOfAnswer = (message: number): AnswerText[] => {
    const textsIn = (where: UsePart, texts: readonly string[], call?: number) =>
      texts.map((text): AnswerText => ({ message, where, call, text }))
    const { reasoning } = conversation.messageTexts[message] as MessageTexts
    const calls = callsOf.get(message) ?? []
    return [
      ...textsIn('reasoning', reasoning),
      ...textsIn('text', ownTexts(message)),
      ...calls.flatMap((call) =>
        textsIn('arguments', partsOfJson(conversation.callArguments[call] as string).values, call),
      ),
    ]
  }

  const termsOf: AnswerTerms[][] = []
  const linksOf = new Map<number, readonly IdLink[]>()
  for (const { results, links } of linkIds(conversation, session.requests)) {
    for (const result of results) linksOf.set(result, links)
  }
  for (const [request, { answer }] of session.requests.entries()) {
    const end = answer === undefined ? 0 : answerEnd(session, request)
    const ofAnswer: AnswerTerms[] = []
    for (let message = answer ?? 0; message < end; message++) {
      for (const { text, ...place } of textsOfAnswer(message)) {
        const candidates = findTerms(text)
        if (candidates.length === 0) continue
        candidates.forEach(addAll)
        ofAnswer.push({ ...place, candidates })
      }
      yield (messages[message] as Message).chars
    }
    termsOf.push(ofAnswer)
  }

  /** By term: 1 if it stands in what masking does not change, and the results that have it. */
  const isKnown = new Uint8Array(index.terms.length)
  const holdersOf: (number[] | undefined)[] = index.terms.map(() => undefined)
  const know = (text: string) =>
    index.scan(text, (term) => {
      isKnown[term] = 1
    })
  know(conversation.toolSchemas)
  for (const { name } of conversation.calls) know(name ?? '')
  for (const text of conversation.callArguments) for (const key of partsOfJson(text).keys) know(key)

  const uses: LaterUse[] = []
  let next = 0
  for (const [request, { end, turnCount }] of session.requests.entries()) {
    for (; next < end; next++) {
      const { name, reasoning } = conversation.messageTexts[next] as MessageTexts
      for (const text of [name ?? '', ...ownTexts(next), ...reasoning]) know(text)
      for (const at of callsOf.get(next) ?? []) {
        const { id } = conversation.calls[at] as ToolCall
        const written = conversation.callArguments[at] as string
        for (const text of [id ?? '', written, ...partsOfJson(written).values]) know(text)
      }
      for (const at of resultsOf.get(next) ?? []) {
        for (const text of resultTextsOf(at)) {
          index.scan(text, (term) => {
            if (isKnown[term] === 1) return
            const holders = holdersOf[term]
            if (holders === undefined) holdersOf[term] = [at]
            else if (holders.at(-1) !== at) holders.push(at)
          })
        }
      }
      yield (messages[next] as Message).chars
    }
    const turnOf = (result: number) => callAt(linksOf.get(result) ?? [], request)?.turn
    const used = new Set<number>()
    for (const { candidates, ...place } of termsOf[request] as AnswerTerms[]) {
      for (const candidate of candidates) collect(candidate, place)
    }
    // What is collected is not needed again.
    termsOf[request] = []
    function collect(
      { term, kind, parts, isRare }: Candidate,
      place: Omit<AnswerTerms, 'candidates'>,
    ): void {
      const at = index.add(term)
      // What cannot be looked for has no parts.
      if (at === undefined || isKnown[at] === 1) return
      const holders = holdersOf[at]
      if (holders === undefined) {
        for (const part of parts) collect(part, place)
        return
      }
      if (used.has(at) || (isRare && holders.length > 1)) return
      used.add(at)
      const turns = holders.map(turnOf)
      // What no policy can mask is never lost.
      if (turns.includes(undefined)) return
      const turn = Math.max(...(turns as number[]))
      uses.push({
        term,
        kind,
        result: holders[turns.lastIndexOf(turn)] as number,
        turn,
        holders: [...holders],
        request,
        ...place,
        distance: turnCount - turn,
      })
    }
  }
  return uses
}

/** The names of members in arguments, and the strings and numbers; the text itself if it is not JSON. */
function partsOfJson(text: string): { keys: string[]; values: string[] } {
  const keys: string[] = []
  const values: string[] = []
  let open: unknown[]
  try {
    open = [JSON.parse(text)]
  } catch {
    return { keys, values: [text] }
  }
  while (open.length > 0) {
    const value = open.shift()
    if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) keys.push(...Object.keys(value))
      open = [...Object.values(value), ...open]
    } else if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
  }
  return { keys, values }
}
