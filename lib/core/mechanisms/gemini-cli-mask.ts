/**
 * Gemini CLI's tool output masking. The newest results stay; when enough tokens are before them, all of those become a
 * preview and the path of a file, once and for all. A result is read as a response with the key `output` alone.
 */

import { partitionPoint } from '../text/span'
import { editsBefore, resultEdits } from './clear-results'
import { type HistoryMessage, type SessionHistory, sumsOf } from './history'
import { isOn, numberOf } from './mechanism'
import { defineMechanism } from './mechanism-table'

const TAG = 'tool_output_masked'
const EXEMPT_TOOLS = ['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode']
/** Where the vendor writes the outputs; project and session are examples of their length. */
const FOLDER =
  '/home/user/.gemini/tmp/project/tool-outputs/session-00000000-0000-4000-8000-000000000000'
const SHELL_SECTIONS = /^(Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID): /m

/** The state is the position before which everything is masked that becomes shorter. */
export const geminiCliMask = defineMechanism<number>(
  'gemini-cli-mask',
  0,
  ({ history, end }, masked, settings) => {
    const tokens = sumsOf(history, tokensOf)
    const staying = sumsOf(history, stayingTokensOf)
    /** Tokens before a position that may still be masked. */
    const left = (at: number) =>
      at <= masked
        ? (staying[at] as number)
        : (staying[masked] as number) + (tokens[at] as number) - (tokens[masked] as number)
    // What a request adds is not in the vendor's history yet.
    let limit = contentStart(history, end)
    if (isOn(settings, 'protectLatestTurn')) limit = contentStart(history, limit)
    const protectedTokens = numberOf(settings, 'protectionThresholdTokens')
    const boundary = partitionPoint(0, limit, (at) => left(limit) - left(at) > protectedTokens)
    const isDue = left(boundary) >= numberOf(settings, 'minPrunableThresholdTokens')
    const state = isDue ? Math.max(masked, boundary) : masked
    const maskable = resultEdits(history, 'masked', (message) =>
      tokensOf(message) > stayingTokensOf(message) ? maskedText(message) : undefined,
    )
    return { state, edits: editsBefore(maskable, state) }
  },
)

/** Position of the first message of the vendor's last content before `end`: results of parallel calls are one. */
function contentStart({ messages }: SessionHistory, end: number): number {
  let start = Math.max(0, end - 1)
  const isJoined = (before?: HistoryMessage, after?: HistoryMessage) =>
    before !== undefined &&
    (before.message === after?.message || (before.role === 'tool' && after?.role === 'tool'))
  while (isJoined(messages[start - 1], messages[start])) start--
  return start
}

/** The vendor's estimate of a result that it may mask; 0 for any other message. */
function tokensOf(message: HistoryMessage): number {
  const { role, content, toolName } = message
  if (role !== 'tool' || EXEMPT_TOOLS.includes(toolName ?? '') || content.includes(`<${TAG}`))
    return 0
  return estimate(message, content)
}

/** The same for a result that stays because its mask is not shorter. */
function stayingTokensOf(message: HistoryMessage): number {
  const tokens = tokensOf(message)
  return tokens > 0 && estimate(message, maskedText(message)) >= tokens ? tokens : 0
}

function estimate({ toolName = '' }: HistoryMessage, output: string): number {
  return Math.floor((toolName.length + JSON.stringify({ output }).length) / 4)
}

function maskedText({ toolName = 'unknown_tool', callId, result, content }: HistoryMessage) {
  const [tool, call] = [toolName, callId ?? String(result)].map((text) =>
    text.replace(/[^a-z0-9_-]/gi, '_').toLowerCase(),
  )
  return `<${TAG}>\n${previewOf(toolName, content)}\n\nOutput too large. Full output available at: ${FOLDER}/${tool}_${call}_k3f9xa.txt\n</${TAG}>`
}

function previewOf(toolName: string, output: string): string {
  if (toolName !== 'run_shell_command') {
    const text = JSON.stringify({ output }, null, 2)
    return text.length > 500
      ? `${text.slice(0, 250)}\n... [TRUNCATED] ...\n${text.slice(-250)}`
      : text
  }
  const [before = '', ...sections] = output.split(SHELL_SECTIONS)
  if (sections.length === 0) return firstAndLastLines(output)
  const previews = before.trim() === '' ? [] : [firstAndLastLines(before.trim())]
  for (let at = 0; at < sections.length; at += 2) {
    const section = (sections[at + 1] as string).trim()
    const shown = sections[at] === 'Output' ? firstAndLastLines(section) : section
    previews.push(`${sections[at]}: ${shown}`)
  }
  return previews.join('\n')
}

function firstAndLastLines(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= 20) return text
  const ends = [lines.slice(0, 10), lines.slice(-10)].map((some) => some.join('\n'))
  return ends.join(`\n\n... [${lines.length - 20} lines omitted] ...\n\n`)
}
