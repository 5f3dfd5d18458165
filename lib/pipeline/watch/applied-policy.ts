/** The policy that the proxy uses, as its file has it. The page writes its policy into the file, and can take that back. */
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {
  readPolicyToml,
  writePolicyIntoToml,
  writePolicyToml,
} from '../../core/share/toml/policy-toml'
import type { WatchState } from '../../core/share/watched'
import { inEnglish } from '../../core/words/english'
import { openPolicyFile } from '../proxy/policy-file'

export type AppliedPolicy = Readonly<ReturnType<typeof openAppliedPolicy>>

/** Throws an error with a sentence if the file cannot be used at the start. `say` gets what became of it. */
export function openAppliedPolicy(path: string, say: (sentence: string) => void) {
  /** The file before the page first changed it, and as the page left it. */
  let changed: { readonly before: string; readonly after: string } | undefined
  let tell = () => {}
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const isAsLeft = () => changed !== undefined && text() === changed.after
  const file = openPolicyFile(path, (problem) => {
    if (problem !== undefined) say(`${problem} The policy before is kept.`)
    else if (!isAsLeft()) say(`${path} is read again.`)
    tell()
  })
  const write = (next: string) => {
    // A link leads to it still, and whoever reads it meanwhile reads all of one or of the other.
    const target = existsSync(path) ? realpathSync(path) : path
    const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
    writeFileSync(`${target}.new`, next, { mode })
    renameSync(`${target}.new`, target)
    file.reload()
  }
  return {
    ...file,
    /** `changed` is called when another policy is used. */
    listen: (changed: () => void) => {
      tell = changed
    },
    state: (): WatchState['policy'] => ({
      toml: writePolicyToml(file.policy()),
      canTakeBack: isAsLeft(),
      problem: file.problem() ?? null,
    }),
    /** Returns why a text is no policy, or the file cannot have it; undefined once it is used. */
    apply: (toml: string): string | undefined => {
      const read = readPolicyToml(toml)
      if (read.state === 'failed') return inEnglish(read.reason)
      if (read.problems.length > 0) return read.problems.map(inEnglish).join(' ')
      const [before, last] = [text(), changed]
      const written = writePolicyIntoToml(before, read.policy)
      if (written.state === 'failed') return `${path}: ${inEnglish(written.reason)}`
      const first = last && isAsLeft() ? last.before : before
      changed = first === '' ? undefined : { before: first, after: written.text }
      try {
        write(written.text)
      } catch (error) {
        changed = last
        return `${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`
      }
      const { enabled, windowTurns } = read.policy
      say(
        enabled
          ? `The page applied its policy: results older than ${windowTurns} turns are masked.`
          : 'The page applied its policy: nothing is masked.',
      )
      return undefined
    },
    /** Restores the file as it was before the page, unless it was changed by hand since. */
    takeBack: (): void => {
      if (changed === undefined || !isAsLeft()) return
      const { before } = changed
      changed = { before, after: before }
      write(before)
      changed = undefined
      say('The page took its policy back; the file is as it was before.')
    },
  }
}
