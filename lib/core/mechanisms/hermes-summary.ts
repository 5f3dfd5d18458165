/** The line that Hermes Agent writes in place of a tool result: one for each of its tools, and one for all others. */
import type { JsonObject } from '../text/json'
import { isJsonObject, itemsOf, membersOf, ownMember, parseJson } from '../text/json'
import { countCodePoints, firstCodePoints } from '../text/span'
import lines from './hermes-lines.json' with { type: 'json' }
import { pythonRepr } from './python-repr'

/** The line for the result of a call with these arguments. In a line, `{name|default}` is an argument or a fact of here. */
export function hermesSummary(tool: string, args: JsonObject, result: string): string {
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
export function cutText(text: string, most: number, kept = most, mark = '...'): string {
  if (countCodePoints(text) <= most) return text
  return firstCodePoints(text, kept) + mark
}
