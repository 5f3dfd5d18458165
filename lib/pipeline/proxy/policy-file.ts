import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { MaskPolicy } from '../../core/policy/policy'
import { readPolicyToml } from '../../core/share/toml/policy-toml'
import { inEnglish } from '../../core/words/english'

/** A policy that follows its file. A file with an error changes nothing. */
export type PolicyFile = Readonly<ReturnType<typeof openPolicyFile>>

/** How often the file is looked at, in milliseconds. Editors replace files, which other ways to watch them miss. */
const POLL = 200

/** Throws an error with a sentence if the file cannot be used at the start. `onReload` gets the problem, if any. */
export function openPolicyFile(
  path: string,
  onReload: (problem: string | undefined) => void = () => {},
) {
  let text = readText(path)
  let policy = readPolicy(path, text)
  let problem: string | undefined
  const reload = () => {
    const before = { text, problem }
    try {
      text = readText(path)
      policy = readPolicy(path, text)
      problem = undefined
    } catch (error) {
      problem = (error as Error).message
    }
    // A change is seen again after it was read at once, which is no other policy.
    if (text !== before.text || problem !== before.problem) onReload(problem)
  }
  watchFile(path, { interval: POLL, persistent: false }, reload)
  return {
    policy: () => policy,
    /** Why the file as it is now is not used; undefined if it is. */
    problem: () => problem,
    /** Reads the file again; runs by itself when the file changes. */
    reload,
    close: () => unwatchFile(path, reload),
  }
}

function readPolicy(path: string, text: string): MaskPolicy {
  const read = readPolicyToml(text)
  if (read.state === 'failed') throw new Error(`${path}: ${inEnglish(read.reason)}`)
  if (read.problems.length > 0)
    throw new Error(`${path}: ${read.problems.map(inEnglish).join(' ')}`)
  return read.policy
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const policy = 'a policy, which observation-masking-proxy --example prints'
    throw new Error(`${path} cannot be read (${code}); expected ${policy}.`)
  }
}
