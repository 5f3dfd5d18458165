/** The policy that the proxy uses, as its file has it. The page replaces the file, and can take that back. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readPolicyToml } from '../../core/share/toml/policy-toml'
import type { WatchState } from '../../core/share/watched'
import { inEnglish } from '../../core/words/english'
import { openPolicyFile } from '../proxy/policy-file'

export type AppliedPolicy = Readonly<ReturnType<typeof openAppliedPolicy>>

/** Throws an error with a sentence if the file cannot be used at the start. `say` gets what became of it. */
export function openAppliedPolicy(path: string, say: (sentence: string) => void) {
  let before: string | undefined
  let tell = () => {}
  const file = openPolicyFile(path, (problem) => {
    if (problem !== undefined) say(`${problem} The policy before is kept.`)
    tell()
  })
  const text = () => readFileSync(path, 'utf8')
  const write = (next: string) => {
    // Whoever reads it meanwhile reads all of one or of the other.
    writeFileSync(`${path}.new`, next, { mode: 0o600 })
    renameSync(`${path}.new`, path)
    file.reload()
  }
  return {
    ...file,
    /** `changed` is called when another policy is used. */
    listen: (changed: () => void) => {
      tell = changed
    },
    state: (): WatchState['policy'] => ({ toml: text(), canTakeBack: before !== undefined }),
    /** Returns why a text is no policy, or undefined once it is used. */
    apply: (toml: string): string | undefined => {
      const read = readPolicyToml(toml)
      if (read.state === 'failed') return inEnglish(read.reason)
      if (read.problems.length > 0) return read.problems.map(inEnglish).join(' ')
      before = text()
      write(toml)
      const { enabled, windowTurns } = read.policy
      say(
        enabled
          ? `The page applied its policy: results older than ${windowTurns} turns are masked.`
          : 'The page applied its policy: nothing is masked.',
      )
      return undefined
    },
    takeBack: (): void => {
      if (before === undefined) return
      const last = before
      before = undefined
      write(last)
      say('The page took its policy back; the one before it is used again.')
    },
  }
}
