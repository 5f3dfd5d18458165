/** Runs the exported Python module on many cases in one process of `python3`. */
import { spawnSync } from 'node:child_process'

/** Why the Python exports cannot be run here; undefined if they can. */
export function whyNoPython(): string | undefined {
  const { stdout, error } = spawnSync(
    'python3',
    ['-c', 'import sys; print(*sys.version_info[:2])'],
    { encoding: 'utf8' },
  )
  if (error !== undefined) return 'python3 is not installed'
  const [major = 0, minor = 0] = stdout.split(' ').map(Number)
  return major === 3 && minor >= 9 ? undefined : `python3 is ${stdout.trim()}, older than 3.9`
}

export interface PythonCase {
  /** Settings by their published names; those of the module if undefined. */
  readonly policy: Readonly<Record<string, unknown>> | undefined
  readonly messages: readonly unknown[]
}

export interface PythonAnswer {
  /** The index of every message that changed, with its new content. */
  readonly changed: readonly (readonly [number, unknown])[]
  /** The index of every result, with its reason. */
  readonly reasons: readonly (readonly [number, string])[]
  /** Breaches of the contract: messages that changed in more than their content, or input that changed. */
  readonly breaches: readonly string[]
  readonly isSameList: boolean
}

/** Runs the module on all cases; the counter counts four UTF-16 units as one token. */
export function runPython(source: string, cases: readonly PythonCase[]): PythonAnswer[] {
  return answerOf(DRIVER, { source, cases }) as PythonAnswer[]
}

/** Runs a script with JSON on its standard input, and reads the JSON that it prints. */
export function answerOf(script: string, input: unknown): unknown {
  const run = spawnSync('python3', ['-c', script], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout)
}

const DRIVER = `
import json, sys

given = json.load(sys.stdin)
module = {}
exec(compile(given["source"], "observation_masking", "exec"), module)

def count(text):
    return -(-len(text.encode("utf-16-le", "surrogatepass")) // 8)

def answer(case):
    messages, policy = case["messages"], case.get("policy")
    before = json.dumps(messages)
    masked = module['mask_old_tool_results'](messages, policy, count)
    reasons = [[index, reason] for index, reason, _ in module['decide'](messages, policy, count)]
    breaches, changed = [], []
    if json.dumps(messages) != before:
        breaches.append("the input changed")
    if type(masked) is not list or len(masked) != len(messages):
        breaches.append("the length changed")
    for index, (old, new) in enumerate(zip(messages, masked)):
        if new is old:
            continue
        changed.append([index, new["content"]])
        if json.dumps({**new, "content": 0}) != json.dumps({**old, "content": 0}):
            breaches.append(f"message {index} changed in more than its content")
    return {"changed": changed, "reasons": reasons, "breaches": breaches, "isSameList": masked is messages}

json.dump([answer(case) for case in given["cases"]], sys.stdout)
`
