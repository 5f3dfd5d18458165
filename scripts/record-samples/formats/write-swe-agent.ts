import { firstCalls, oneCallAtATime, renameCalls } from './adapt-session'
import type { AdaptSession, FormatWriter } from './format-writer'
import type { RecordedCall, RecordedMessage, RecordedSession } from './recorded-session'

const MODEL = 'gpt-5'
const VERSION = '2.2.6'

/** The shell command of a call: recorded tools are commands, `run_command` is the shell itself. */
function commandOf({ name, arguments: written }: RecordedCall): string {
  if (name === 'run_command') return String(written.command)
  const words = Object.values(written).map((value) => quote(String(value)))
  return [name, ...words].join(' ')
}

function quote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const STEPS: AdaptSession = (session) => firstCalls(8)(oneCallAtATime(session))

const ACTIONS: AdaptSession = (session) =>
  renameCalls((call) => commandOf(call).split(/\s/)[0] ?? '')(oneCallAtATime(session))

const BASH: AdaptSession = renameCalls(() => 'bash')

/** A run of a model with tool calls, as SWE-agent 1.1 saves it: every step has the request it answered. */
export const sweAgentFunctionCalls: FormatWriter = {
  format: 'swe-agent',
  file: 'function-calls.traj',
  writes: {
    because: 'SWE-agent takes one call a step, and the requests of all steps would fill a megabyte',
    adapt: STEPS,
  },
  write: (session) => trajectory(STEPS(session), { hasCalls: true }),
}

/** A run of a model without tool calls, as versions before 1.0 saved it. */
export const sweAgentActions: FormatWriter = {
  format: 'swe-agent',
  file: 'actions.traj',
  writes: { because: 'SWE-agent takes one action a step, named by its command', adapt: ACTIONS },
  write: (session) => trajectory(oneCallAtATime(session), { hasCalls: false }),
}

interface TrajectoryKind {
  readonly hasCalls: boolean
}

function trajectory({ system, messages }: RecordedSession, { hasCalls }: TrajectoryKind): string {
  const kind = (type: string) => ({ agent: 'main', ...(hasCalls && { message_type: type }) })
  const history: object[] = [{ role: 'system', content: system, ...kind('system_prompt') }]
  const steps: object[] = []
  const state = { open_file: 'n/a', working_dir: '/workspace' }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      history.push({ role: 'user', content: message.text, ...kind('observation') })
    } else if (message.role === 'assistant') {
      const [call] = message.calls
      const action = call === undefined ? '' : commandOf(call)
      const thought = message.text
      const response = hasCalls || action === '' ? thought : `${thought}\n\`\`\`\n${action}\n\`\`\``
      const observation = observationAfter(messages, index)
      steps.push({
        action,
        observation,
        response,
        thought,
        execution_time: 0.125,
        state: hasCalls ? state : `${JSON.stringify(state)}\n`,
        ...(hasCalls && { query: [...history], extra_info: {} }),
      })
      history.push({
        role: 'assistant',
        content: response,
        thought,
        action,
        ...kind('action'),
        ...(hasCalls && call !== undefined && { tool_calls: [functionCall(call)] }),
      })
    } else {
      const content = `${message.result.parts.join('\n')}\n(Open file: n/a)\n(Current directory: /workspace)\nbash-$`
      const ids = { tool_call_ids: [message.result.callId] }
      history.push({
        role: hasCalls ? 'tool' : 'user',
        content,
        ...kind('observation'),
        ...(hasCalls && ids),
      })
    }
  }
  const stats = {
    instance_cost: 0,
    tokens_sent: 0,
    tokens_received: 0,
    api_calls: steps.length,
  }
  return written({
    trajectory: steps,
    history,
    info: { exit_status: 'exit_command', submission: null, model_stats: stats },
    ...(hasCalls && { replay_config: { agent: { model: { name: MODEL } } } }),
    environment: 'main',
  })
}

function observationAfter(messages: readonly RecordedMessage[], index: number): string {
  const next = messages[index + 1]
  return next?.role === 'tool' ? next.result.parts.join('\n') : ''
}

function functionCall({ id, name, arguments: values }: RecordedCall): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(values) } }
}

/** A run of mini-swe-agent 2 whose model has tool calls; `bash` is the only tool. */
export const miniSweAgentCalls: FormatWriter = {
  format: 'swe-agent',
  file: 'mini-swe-agent.traj.json',
  writes: { because: 'bash is the only tool of mini-swe-agent', adapt: BASH },
  write: (session) => mini(session, true),
}

/** A run of mini-swe-agent 1: commands are code blocks in the text. */
export const miniSweAgentBlocks: FormatWriter = {
  format: 'swe-agent',
  file: 'mini-swe-agent-blocks.traj.json',
  writes: {
    because: 'mini-swe-agent 1 takes one block a message, and bash is its only tool',
    adapt: (session) => BASH(oneCallAtATime(session)),
  },
  write: (session) => mini(oneCallAtATime(session), false),
}

function mini({ system, messages, startedAt }: RecordedSession, hasCalls: boolean): string {
  const timeOf = (index: number) => (startedAt + index * 1000) / 1000
  const task = (text: string) =>
    `${text}\n\nWhen you are done, issue \`echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\`.`
  const list = messages.map((message, index): object => {
    if (message.role === 'user') return { role: 'user', content: task(message.text) }
    if (message.role === 'assistant') {
      const { text, calls } = message
      if (!hasCalls) {
        const [call] = calls
        const block =
          call === undefined ? '' : `\n\n\`\`\`mswea_bash_command\n${commandOf(call)}\n\`\`\``
        return { role: 'assistant', content: `${text}${block}` }
      }
      return {
        role: 'assistant',
        content: text,
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) =>
            functionCall({ ...call, name: 'bash', arguments: { command: commandOf(call) } }),
          ),
        }),
        extra: {
          actions: calls.map((call) => ({ command: commandOf(call), tool_call_id: call.id })),
          cost: 0.004,
          timestamp: timeOf(index),
        },
      }
    }
    const { parts, callId, isError } = message.result
    const output = parts.join('\n')
    const returncode = isError ? 1 : 0
    const content = `<returncode>${returncode}</returncode>\n<output>\n${output}\n</output>`
    if (!hasCalls) return { role: 'user', content }
    const extra = { raw_output: output, returncode, timestamp: timeOf(index) }
    return { content, extra, tool_call_id: callId, role: 'tool' }
  })
  const answers = messages.filter(({ role }) => role === 'assistant').length
  return written({
    info: {
      model_stats: { instance_cost: 0.42, api_calls: answers },
      config: { model: { model_name: MODEL } },
      mini_version: hasCalls ? VERSION : '1.14.0',
      exit_status: 'Submitted',
      submission: '',
    },
    messages: [{ role: 'system', content: system }, ...list],
    trajectory_format: hasCalls ? 'mini-swe-agent-1.1' : 'mini-swe-agent-1',
  })
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
