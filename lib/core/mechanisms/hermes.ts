/**
 * Hermes Agent's proactive pruning of tool results: older ones that are long become a line, those that a newer one repeats
 * become a note, and long arguments are cut. It happens after results, and only if it saves enough; what it changed stays
 * changed. The pruning before the agent writes a summary is not here. Lengths are in code points.
 */
import { memoizeFor } from '../memoize-for'
import type { JsonObject } from '../text/json'
import { isJsonObject, itemsOf, membersOf, ownMember, parseJson } from '../text/json'
import { countCodePoints, firstCodePoints } from '../text/span'
import { callOf } from './clear-results'
import lines from './hermes-lines.json' with { type: 'json' }
import { type HistoryCall, type HistoryMessage, sumsOf } from './history'
import type { MessageEdit, MessageEdits, RequestContext, Settings } from './mechanism'
import { numberOf } from './mechanism'
import { defineMechanism } from './mechanism-table'
import { pythonRepr } from './python-repr'

interface PruneState {
  /** The estimate of all messages from which the next pruning is allowed. */
  readonly rearm: number
  /** What the prunings so far have saved of it. */
  readonly saved: number
  readonly changed: readonly (readonly [at: number, MessageEdit])[]
}

export const hermesPrune = defineMechanism<PruneState>(
  'hermes-prune',
  { rearm: 0, saved: 0, changed: [] },
  (sent, state, settings) => {
    const { history, end, sentTokens } = sent
    const known = memoizeFor(state.changed, history, () => new Map(state.changed))
    const trigger = numberOf(settings, 'proactive_prune_tokens')
    const least = numberOf(settings, 'proactive_prune_min_reclaim_tokens')
    const before = (sumsOf(history, estimateOf)[end] as number) - state.saved
    const fixed = numberOf(settings, 'protect_first_n') + numberOf(settings, 'protect_last_n')
    const isDue =
      trigger > 0 &&
      before >= state.rearm &&
      (sentTokens || (history.prefixTokens[end] as number)) >= trigger &&
      end > fixed + (history.messages[0]?.role === 'system' ? 2 : 1) &&
      history.messages[end - 1]?.role === 'tool'
    if (!isDue) return { state, edits: known }
    const { edits, results, saved } = prune(sent, known, settings)
    if (results === 0 || Math.max(0, saved) < least) return { state, edits: known }
    const rearm = before - saved + Math.max(saved, trigger, least)
    return { state: { rearm, saved: state.saved + saved, changed: [...edits] }, edits }
  },
)

function prune({ history, end }: RequestContext, before: MessageEdits, settings: Settings) {
  const messages = history.messages.slice(0, end)
  const tail = Math.max(0, end - numberOf(settings, 'protect_last_n'))
  const most = numberOf(settings, 'proactive_prune_min_result_chars')
  const edits = new Map(before)
  let [results, saved] = [0, 0]
  /** Of a result that is text; the vendor leaves others. */
  const contentOf = (at: number): string => {
    const { result, content } = messages[at] as HistoryMessage
    const shape = history.session.conversation.results[result ?? -1]?.shape ?? 'other'
    return shape === 'other' ? '' : (edits.get(at)?.content ?? content)
  }
  const replace = (at: number, content: string) => {
    saved += roughTokens(contentOf(at)) - roughTokens(content)
    edits.set(at, { content })
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
  for (const [at, { calls }] of messages.slice(0, tail).entries()) {
    const content = contentOf(at)
    if (countCodePoints(content) > most && !isPruned(content)) {
      const asked = callOf(history, at)
      const call = asked && messages[asked.at]?.calls[asked.position]
      const cut = asked && before.get(asked.at)?.calls?.[asked.position]
      const tool = call?.name ?? 'unknown'
      if (tool !== 'skill_view' || !skills.includes(skillOf(call)))
        replace(at, hermesSummary(tool, argumentsIn(cut ?? call?.arguments), content))
    }
    if (edits.has(at)) continue
    for (const [position, call] of calls.entries()) {
      const written = memoizeFor(call, cutArguments, () => cutArguments(call.arguments))
      if (written === call.arguments) continue
      saved += callTokens(call) - callTokens({ ...call, arguments: written })
      edits.set(at, { calls: { ...edits.get(at)?.calls, [position]: written } })
    }
  }
  return { edits, results, saved }
}

const argumentsIn = (text = '') => membersOf(parseJson(text))

/** True for a text that an earlier pruning wrote. */
const isPruned = (text: string) =>
  /^\[(?:Duplicate tool output|screenshot removed)/.test(text) ||
  (text.startsWith('[') && text.includes(' chars)') && countCodePoints(text) < 400)

/** The skill that a call loads, in lower case; empty if it names none. */
function skillOf(call: HistoryCall | undefined): string {
  const { name } = argumentsIn(call?.arguments)
  return typeof name === 'string' ? name.toLowerCase() : ''
}

/** Skills that were loaded in the last messages, or that the user names there. */
function protectedSkills(messages: readonly HistoryMessage[], tail: number): readonly string[] {
  const asked = messages.slice(tail).filter(({ role }) => role === 'user')
  const recent = Math.min(tail, messages.length - 10)
  return messages.flatMap(({ calls }, at) => {
    const skills = calls.filter(({ name }) => name === 'skill_view').map(skillOf)
    const isNamed = (skill: string) =>
      asked.some(({ content }) => content.toLowerCase().includes(skill))
    return skills.filter((skill) => skill !== '' && (at >= recent || isNamed(skill)))
  })
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
const estimateOf = ({ content, calls }: HistoryMessage): number =>
  calls.reduce((sum, call) => sum + callTokens(call), roughTokens(content) + 10)

const callTokens = ({ id = '', name, arguments: written }: HistoryCall): number =>
  roughTokens(pythonRepr({ id, type: 'function', function: { name, arguments: written } }))

/** A token for each Chinese, Japanese or Korean character, and for four others. */
function roughTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return dense + Math.ceil((countCodePoints(text) - dense) / 4)
}
const DENSE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g

/** The line in place of the result of a call with these arguments: one for each tool of Hermes, and one for all others. In a line, `{name|default}` is an argument or a fact of here. */
function hermesSummary(tool: string, args: JsonObject, result: string): string {
  const argument = (key: string, fallback = '') => {
    const value = Object.hasOwn(args, key) ? args[key] : fallback
    return typeof value === 'string' ? value : pythonRepr(value)
  }
  const textOf = (key: string) => (args[key] === null ? '' : argument(key))
  const found = (name: string, digits: string) =>
    new RegExp(`"${name}"\\s*:\\s*(${digits})`).exec(result)?.[1] ?? '?'
  const size = countCodePoints(result)
  const chars = size.toLocaleString('en')
  const line = ownMember(lines as Readonly<Record<string, string>>, tool)
  if (line === undefined) {
    const shown = Object.keys(args).slice(0, 2)
    const pairs = shown.map((key) => ` ${key}=${cutText(argument(key), 40, 40, '')}`)
    return `[${tool}]${pairs.join('')} (${chars} chars result)`
  }
  const skill = ` [SKILL_PRUNED: content lost in compression; reload with skill_view(name='${argument('name', '?')}')]`
  const facts: Readonly<Record<string, string | number>> = {
    chars,
    lines: result.trim() === '' ? 0 : linesOf(result),
    exit_code: found('exit_code', '-?\\d+'),
    total_count: found('total_count', '\\d+'),
    written: args.content ? linesOf(textOf('content')) : '?',
    command: cutText(textOf('command'), 80, 77),
    goal: cutText(textOf('goal'), 60, 57),
    code: cutText(textOf('code').replaceAll('\n', ' '), 60),
    question: cutText(textOf('question'), 50, 50, ''),
    place: args.url ? `${argument('url')} ` : args.ref ? `ref=${argument('ref')} ` : '',
    first_url: firstUrl(itemsOf(args.urls)),
    pruned: size > 5000 ? skill : '',
    answer: answerIn(result),
  }
  const fill = (_: string, key: string, fallback?: string) =>
    String(ownMember(facts, key) ?? argument(key, fallback))
  return `[${tool}] ${line.replace(/\{(\w+)(?:\|([^}]*))?\}/g, fill)}`
}

const linesOf = (text: string) => text.split('\n').length

function firstUrl([first, ...others]: readonly unknown[]): string {
  const url = isJsonObject(first) ? first.url || first.href : first
  const shown = typeof url === 'string' ? url : '?'
  return others.length > 0 ? `${shown} (+${others.length} more)` : shown
}

/** What stands there when the user gave no answer. */
const NO_ANSWER =
  /^\s*(?:The user did not provide a response|\[user did not respond|\[clarify prompt could not be delivered|\[oneshot mode:)/

/** What the user answered, if somebody did. */
function answerIn(result: string): string {
  const answer = membersOf(parseJson(result)).user_response
  const answers = itemsOf(Array.isArray(answer) ? answer : [answer])
  const isAnswer = (one: unknown) => typeof one === 'string' && one !== '' && !NO_ANSWER.test(one)
  if (answers.length === 0 || !answers.every(isAnswer)) return 'asked user a question'
  const quoted = answers.map((one) => JSON.stringify(one)).join(', ')
  const summary = `user responded: ${Array.isArray(answer) ? `[${quoted}]` : quoted}`
  // With the name of the tool it stays below the 200 characters from which a text is pruned.
  const start = cutText(summary, 189, 175, '')
  return start === summary ? summary : `${start.trimEnd()}...[truncated]`
}

/** A text of more than `most` characters: the first `kept` of them and a mark. */
function cutText(text: string, most: number, kept = most, mark = '...'): string {
  if (countCodePoints(text) <= most) return text
  return firstCodePoints(text, kept) + mark
}
