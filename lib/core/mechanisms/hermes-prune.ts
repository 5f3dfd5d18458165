/**
 * Hermes Agent's proactive pruning of tool results: older ones that are long become a line, those that a newer one repeats
 * become a note, and long arguments are cut. It happens after results, and only if it saves enough; what it changed stays
 * changed. The pruning before the agent writes a summary is not here. Lengths are in code points.
 */
import { membersOf, parseJson } from '../text/json'
import { countCodePoints } from '../text/text-pieces'
import { callOf } from './clear-results'
import { hermesSummary } from './hermes-summary'
import { type HistoryCall, type HistoryMessage, sumsOf } from './history'
import { type Becomes, defineMechanism, numberOf, type Settings, type SoFar } from './mechanism'
import { memoizeFor } from './memoize-for'
import { cutText, pythonRepr } from './python-text'

interface PruneState {
  /** The estimate of all messages from which the next pruning is allowed. */
  readonly rearm: number
  /** What the prunings so far have saved of it. */
  readonly saved: number
  readonly changed: readonly (readonly [at: number, Becomes])[]
}

export const hermesPrune = defineMechanism<PruneState>(
  'hermes-prune',
  { rearm: 0, saved: 0, changed: [] },
  (sent, state, settings) => {
    const { history, end } = sent
    const unchanged = {
      state,
      picture: memoizeFor(state.changed, history, () => new Map(state.changed)),
    }
    const before = (sumsOf(history, estimateOf)[end] as number) - state.saved
    if (before < state.rearm || !isDue(sent, settings)) return unchanged
    const { picture, results, saved } = prune(sent, unchanged.picture, settings)
    const least = numberOf(settings, 'proactive_prune_min_reclaim_tokens')
    if (results === 0 || Math.max(0, saved) < least) return unchanged
    const runway = Math.max(saved, numberOf(settings, 'proactive_prune_tokens'), least)
    return {
      state: {
        rearm: before - saved + runway,
        saved: state.saved + saved,
        changed: [...picture],
      },
      picture,
    }
  },
)

function isDue({ history, end, sentTokens }: SoFar, settings: Settings): boolean {
  const { messages, prefixTokens } = history
  const trigger = numberOf(settings, 'proactive_prune_tokens')
  const system = messages[0]?.role === 'system' ? 1 : 0
  const fixed =
    system + numberOf(settings, 'protect_first_n') + numberOf(settings, 'protect_last_n')
  return (
    trigger > 0 &&
    (sentTokens || (prefixTokens[end] as number)) >= trigger &&
    end > fixed + 1 &&
    messages[end - 1]?.role === 'tool'
  )
}

function prune({ history, end }: SoFar, before: ReadonlyMap<number, Becomes>, settings: Settings) {
  const messages = history.messages.slice(0, end)
  const tail = Math.max(0, end - numberOf(settings, 'protect_last_n'))
  const most = numberOf(settings, 'proactive_prune_min_result_chars')
  const picture = new Map(before)
  let [results, saved] = [0, 0]
  /** Of a result that is text; the vendor leaves others. */
  const contentOf = (at: number): string => {
    const { result, content } = messages[at] as HistoryMessage
    const shape = history.session.conversation.results[result ?? -1]?.shape
    if (shape === undefined || shape === 'other') return ''
    return (picture.get(at)?.content as string | undefined) ?? content
  }
  const replace = (at: number, content: string) => {
    saved += roughTokens(contentOf(at)) - roughTokens(content)
    picture.set(at, { content })
    results++
  }
  const newer = new Set<string>()
  for (let at = end - 1; at >= 0; at--) {
    const content = contentOf(at)
    if (countCodePoints(content) < 200) continue
    if (newer.has(content))
      replace(at, '[Duplicate tool output — same content as a more recent call]')
    newer.add(content)
  }
  const skills = protectedSkills(messages, tail)
  for (const [at, message] of messages.slice(0, tail).entries()) {
    const content = contentOf(at)
    if (countCodePoints(content) > most && !isPruned(content)) {
      const asked = callOf(history, at)
      const call = asked && messages[asked.at]?.calls[asked.position]
      const cutBefore = asked && before.get(asked.at)?.calls?.[asked.position]
      const args = membersOf(parseJson(cutBefore ?? call?.arguments ?? ''))
      const named = message.callId === undefined ? message.toolName : call?.name
      const tool = named ?? 'unknown'
      if (tool !== 'skill_view' || !skills.has(skillOf(call)))
        replace(at, hermesSummary(tool, args, content))
    }
    if (picture.has(at)) continue
    const shorter: Record<number, string> = {}
    for (const [position, call] of message.calls.entries()) {
      const written = memoizeFor(call, cutArguments, () => cutArguments(call.arguments))
      if (written === call.arguments) continue
      shorter[position] = written
      saved += callTokens(call) - callTokens({ ...call, arguments: written })
    }
    if (Object.keys(shorter).length > 0) picture.set(at, { calls: shorter })
  }
  return { picture, results, saved }
}

/** True for a text that an earlier pruning wrote. */
function isPruned(text: string): boolean {
  return (
    /^\[(?:Duplicate tool output|screenshot removed)/.test(text) ||
    (text.startsWith('[') && text.includes(' chars)') && countCodePoints(text) < 400)
  )
}

/** Skills that were loaded in the last messages, or that the user names there. */
function protectedSkills(messages: readonly HistoryMessage[], tail: number): ReadonlySet<string> {
  const asked = messages.slice(tail).filter(({ role }) => role === 'user')
  const texts = asked.map(({ content }) => content.toLowerCase())
  const recent = Math.min(tail, messages.length - 10)
  const sites = messages.flatMap(({ calls }, at) =>
    calls.filter(({ name }) => name === 'skill_view').map((call) => ({ at, skill: skillOf(call) })),
  )
  const isProtected = ({ at, skill }: { at: number; skill: string }) =>
    skill !== '' && (at >= recent || texts.some((text) => text.includes(skill)))
  return new Set(sites.filter(isProtected).map(({ skill }) => skill))
}

/** The skill that a call loads, in lower case; empty if it names none. */
function skillOf(call: HistoryCall | undefined): string {
  const { name } = membersOf(parseJson(call?.arguments ?? ''))
  return typeof name === 'string' ? name.toLowerCase() : ''
}

/** Arguments of more than 500 characters with their long strings cut, in JSON as Python writes it. */
function cutArguments(text: string): string {
  if (countCodePoints(text) <= 500 || parseJson(text) === undefined) return text
  const parts = /("(?:[^"\\]+|\\.)*")(\s*:)?|,|\s+/gs
  return text.replace(parts, (part: string, quoted?: string, colon?: string) => {
    if (quoted === undefined) return part === ',' ? ', ' : ''
    const value: string = JSON.parse(quoted)
    if (colon !== undefined) return `${JSON.stringify(value)}: `
    return JSON.stringify(cutText(value, 200, 200, '...[truncated]'))
  })
}

/** The vendor's estimate of a message. */
function estimateOf({ content, calls }: HistoryMessage): number {
  return calls.reduce((sum, call) => sum + callTokens(call), roughTokens(content) + 10)
}

function callTokens({ id = '', name, arguments: written }: HistoryCall): number {
  const call = { id, type: 'function', function: { name, arguments: written } }
  return roughTokens(pythonRepr(call))
}

/** A token for each Chinese, Japanese or Korean character, and for four others. */
function roughTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return dense + Math.ceil((countCodePoints(text) - dense) / 4)
}

const DENSE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g
