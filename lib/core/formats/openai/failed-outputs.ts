/**
 * Recognises outputs of failed commands. Items of the Responses API have no error flag: Codex and similar clients write
 * the exit code into the output, as a header or as JSON around it, and a `shell_call_output` has an `outcome` per command.
 */
import { isJsonObject, itemsOf, membersOf } from '../../text/json-object'

/** The header that Codex writes before the output of a command or script. */
const HEADER =
  /^(?:Exit code: (?<shell>-?\d+)|Process exited with code (?<session>-?\d+)|(?<script>Script failed))/m
const HEADER_LENGTH = 400
const HEADER_END = /^Output:/m

/** True if the exit code in the text of an output shows that the command failed. */
export function isFailedOutput(text: string): boolean {
  const start = text.slice(0, HEADER_LENGTH)
  if (/^\s*\{/.test(start)) return hasFailingCode(text)
  const groups = HEADER.exec(start.slice(0, HEADER_END.exec(start)?.index))?.groups
  if (groups === undefined) return false
  return groups.script !== undefined || Number(groups.shell ?? groups.session) !== 0
}

/** `{"output": …, "metadata": {"exit_code": 1}}`, or with the code at the top. */
function hasFailingCode(text: string): boolean {
  if (!text.includes('"exit_code"')) return false
  try {
    const value = membersOf(JSON.parse(text))
    const { exit_code: code } = isJsonObject(value.metadata) ? value.metadata : value
    return typeof code === 'number' && code !== 0
  } catch {
    return false
  }
}

/** True if a command of a `shell_call_output` failed or timed out. */
export function hasFailedOutcome(output: unknown): boolean {
  return itemsOf(output).some((entry) => {
    const outcome = membersOf(entry).outcome
    if (!isJsonObject(outcome)) return false
    const { type, exit_code: code } = outcome
    return type === 'timeout' || (type === 'exit' && typeof code === 'number' && code !== 0)
  })
}
