/** The line that Hermes Agent writes in place of a tool result: one for each of its tools, and one for all others. */
import { isJsonObject, itemsOf, type JsonObject, membersOf, parseJson } from '../text/json'
import { countCodePoints } from '../text/text-pieces'
import { cutText, pythonText } from './python-text'

/** `{name|default}` is an argument of the call, or what `hermesSummary` has by that name. */
const LINES: ReadonlyMap<string, string> = new Map([
  ['terminal', 'ran `{command}` -> exit {exit_code}, {lines} lines output'],
  ['read_file', 'read {path|?} from line {offset|1} ({chars} chars)'],
  ['write_file', 'wrote to {path|?} ({written} lines)'],
  [
    'search_files',
    "{target|content} search for '{pattern|?}' in {path|.} -> {total_count} matches",
  ],
  ['patch', '{mode|replace} in {path|?} ({chars} chars result)'],
  ...['navigate', 'click', 'snapshot', 'type', 'scroll', 'vision'].map(
    (action) => [`browser_${action}`, '{place}({chars} chars)'] as const,
  ),
  ['web_search', "query='{query|?}' ({chars} chars result)"],
  ['web_extract', '{first_url} ({chars} chars)'],
  ['delegate_task', "'{goal}' ({chars} chars result)"],
  ['execute_code', '`{code}` ({lines} lines output)'],
  ['skill_view', 'name={name|?} ({chars} chars){pruned}'],
  ['skills_list', 'name={name|?} ({chars} chars)'],
  ['skill_manage', 'name={name|?} ({chars} chars)'],
  ['vision_analyze', "'{question}' ({chars} chars)"],
  ['memory', '{action|?} on {target|?}'],
  ['todo', 'updated task list'],
  ['clarify', '{answer}'],
  ['text_to_speech', 'generated audio ({chars} chars)'],
  ['cronjob', '{action|?}'],
  ['process', '{action|?} session={session_id|?}'],
])

/** The line for the result of a call with these arguments. */
export function hermesSummary(tool: string, args: JsonObject, result: string): string {
  const argument = (key: string, fallback = '') =>
    Object.hasOwn(args, key) ? pythonText(args[key]) : fallback
  const textOf = (key: string) => (args[key] === null ? '' : argument(key))
  const size = countCodePoints(result)
  const chars = size.toLocaleString('en')
  const line = LINES.get(tool)
  if (line === undefined) {
    const shown = Object.keys(args).slice(0, 2)
    const pairs = shown.map((key) => ` ${key}=${cutText(argument(key), 40, 40, '')}`)
    return `[${tool}]${pairs.join('')} (${chars} chars result)`
  }
  const skill = `[SKILL_PRUNED: content lost in compression; reload with skill_view(name='${argument('name', '?')}')]`
  const facts: Readonly<Record<string, string | number>> = {
    chars,
    lines: result.trim() === '' ? 0 : linesOf(result),
    exit_code: /"exit_code"\s*:\s*(-?\d+)/.exec(result)?.[1] ?? '?',
    total_count: /"total_count"\s*:\s*(\d+)/.exec(result)?.[1] ?? '?',
    written: args.content ? linesOf(textOf('content')) : '?',
    command: cutText(textOf('command'), 80, 77),
    goal: cutText(textOf('goal'), 60, 57),
    code: cutText(textOf('code').replaceAll('\n', ' '), 60),
    question: cutText(textOf('question'), 50, 50, ''),
    place: args.url ? `${argument('url')} ` : args.ref ? `ref=${argument('ref')} ` : '',
    first_url: firstUrl(itemsOf(args.urls)),
    pruned: size > 5000 ? ` ${skill}` : '',
    answer: answerIn(result),
  }
  const fill = (_: string, key: string, fallback?: string) =>
    String(Object.hasOwn(facts, key) ? facts[key] : argument(key, fallback))
  return `[${tool}] ${line.replace(/\{(\w+)(?:\|([^}]*))?\}/g, fill)}`
}

function linesOf(text: string): number {
  return text.split('\n').length
}

function firstUrl([first, ...others]: readonly unknown[]): string {
  const url = isJsonObject(first) ? first.url || first.href : first
  const more = others.length > 0 ? ` (+${others.length} more)` : ''
  return (typeof url === 'string' ? url : '?') + more
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
