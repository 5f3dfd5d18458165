/** What a placeholder template gives on a conversation: the tokens of each placeholder, and whether each can be relied on. */
import type { ReadConversation, ToolResult } from '../conversation/conversation'
import {
  canBePlaceholder,
  isPlaceholder,
  type PlaceholderFacts,
  renderPlaceholder,
} from '../policy/placeholder'
import { callAt, type IdLink, linkIds, withCall } from '../replay/decide-request'
import type { Steps } from '../steps'
import { partitionPoint } from '../text/span'
import { countCodePoints } from '../text/text-pieces'
import { countTextsTokens } from '../tokens/count-conversation'

/** Figures of one template. Results that no policy masks are in none of the counts. */
export interface TemplateCheck {
  readonly template: string
  /** Tokens of each result's placeholder, by result; undefined for a result that is never masked. */
  readonly tokens: readonly (number | undefined)[]
  /** Results that can be masked. */
  readonly results: number
  /** Results whose placeholder has neither the id nor the name of its call, or is the same as that of another call. */
  readonly unnamed: number
  /** Results whose placeholder differs between requests, which would invalidate a cached prefix. */
  readonly changing: number
  /** Results whose placeholder is not recognised, so it would be masked again. */
  readonly unrecognised: number
  /** Results that look like a placeholder as they are, so they are never masked. */
  readonly mistaken: number
}

/** Checks a template on every result. Yields the length of each placeholder and returns the figures. */
export function* checkTemplateInSteps(
  conversation: ReadConversation,
  template: string,
  countTokens: (text: string) => number,
): Steps<TemplateCheck> {
  const { results, resultTexts } = conversation
  const factsOf = factsByRequest(conversation)
  const tokens: (number | undefined)[] = []
  const callsOfText = new Map<string, Set<string | number | undefined>>()
  const texts: (string | undefined)[] = []
  const counts = { results: 0, unnamed: 0, changing: 0, unrecognised: 0, mistaken: 0 }
  for (const [index, result] of results.entries()) {
    if (!isMaskable(result)) {
      tokens.push(undefined)
      texts.push(undefined)
      continue
    }
    const own = resultTexts[index] as readonly string[]
    const resultTokens = countTextsTokens(own, countTokens)
    const render = (facts: PlaceholderFacts) => renderPlaceholder(template, facts, resultTokens)
    const text = render(result)
    texts.push(text)
    tokens.push(countTokens(text))
    counts.results++
    if (factsOf(index).some((facts) => render(facts) !== text)) counts.changing++
    const masked = { ...result, chars: countCodePoints(text), length: text.length }
    /* v8 ignore next -- @preserve A property test finds no such template; if there is one, the user is told. */
    if (!isPlaceholder(template, masked, text)) counts.unrecognised++
    if (canBePlaceholder(template, result) && isPlaceholder(template, result, own.join('')))
      counts.mistaken++
    const calls = callsOfText.get(text)
    const key = result.callId ?? result.link
    if (calls === undefined) callsOfText.set(text, new Set([key]))
    else calls.add(key)
    yield text.length
  }
  for (const [index, text] of texts.entries()) {
    const { callId = '', toolName = '' } = results[index] as ToolResult
    if (text === undefined) continue
    const isOnlyOne = callsOfText.get(text)?.size === 1
    const hasName =
      (callId !== '' && text.includes(callId)) || (toolName !== '' && text.includes(toolName))
    if (!isOnlyOne || !hasName) counts.unnamed++
  }
  return { template, tokens, ...counts }
}

/** A function that gives a result as each request with another call for its id has it. */
function factsByRequest(
  conversation: ReadConversation,
): (result: number) => readonly PlaceholderFacts[] {
  const { messages, results } = conversation
  const answered = messages.flatMap(({ isAssistant }, end) => (isAssistant ? [end] : []))
  const ends = [...answered, messages.length]
  const requests = ends.map((end) => ({ end, turnCount: 0, answer: undefined }))
  const linksOf = new Map(
    linkIds(conversation, requests).flatMap(({ results: linked, links }) =>
      linked.map((result) => [result, links] as const),
    ),
  )
  return (index) => {
    const result = results[index] as ToolResult
    const links = linksOf.get(index) as readonly IdLink[]
    if (links.length < 2) return []
    const first = partitionPoint(0, ends.length, (at) => (ends[at] as number) <= result.message)
    const changes = links.map(({ from }) => from).filter((from) => from > first)
    return [first, ...changes].map((at) => withCall(result, callAt(links, at)))
  }
}

/** True if some policy masks the result. */
function isMaskable({ callId, link, turn, shape }: ToolResult): boolean {
  return (callId ?? link) !== undefined && turn !== undefined && shape !== 'other'
}

/** Figures of a template over some results. */
export interface TemplateTotals {
  readonly masked: number
  /** Tokens of the shortest and the longest placeholder, and of all; 0 without results. */
  readonly least: number
  readonly most: number
  readonly all: number
  /** Results with fewer tokens than their placeholder, and the tokens lost on them. */
  readonly grown: number
  readonly lost: number
}

/** Sums the placeholders of the results that `isMasked` names. */
export function templateTotals(
  { tokens }: Pick<TemplateCheck, 'tokens'>,
  resultTokens: readonly number[],
  isMasked: (result: number) => boolean,
): TemplateTotals {
  const totals = { masked: 0, least: 0, most: 0, all: 0, grown: 0, lost: 0 }
  for (const [result, count] of tokens.entries()) {
    if (count === undefined || !isMasked(result)) continue
    totals.least = totals.masked === 0 ? count : Math.min(totals.least, count)
    totals.most = Math.max(totals.most, count)
    totals.masked++
    totals.all += count
    const growth = count - (resultTokens[result] as number)
    if (growth > 0) {
      totals.grown++
      totals.lost += growth
    }
  }
  return totals
}
