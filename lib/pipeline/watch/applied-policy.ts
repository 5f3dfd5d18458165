/** The policy that the proxy uses, as its file has it. The page writes its policy into the file, and can take that back. */
import {
  chmodSync,
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
  /** Undefined while the file is gone or cannot be read. */
  const text = () => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  }
  const isAsLeft = () => changed !== undefined && text() === changed.after
  const file = openPolicyFile(path, (problem) => {
    if (problem !== undefined) say(`${problem} The policy before is kept.`)
    else if (!isAsLeft()) say(`${path} is read again.`)
    tell()
  })
  /** Writes the file and has it read; returns why it cannot, and the file is as it was. */
  const write = (next: typeof changed, content: string): string | undefined => {
    const last = changed
    changed = next
    try {
      // Links to it stay, and who reads it meanwhile gets all of the old text or all of the new one.
      const target = existsSync(path) ? realpathSync(path) : path
      const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
      writeFileSync(`${target}.new`, content, { mode: 0o600 })
      chmodSync(`${target}.new`, mode)
      renameSync(`${target}.new`, target)
    } catch (error) {
      changed = last
      return `${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`
    }
    file.reload()
    return undefined
  }
  return {
    ...file,
    /** `onChange` is called when another policy is used, or none of the file. */
    listen: (onChange: () => void) => {
      tell = onChange
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
      const before = text()
      if (before === undefined && existsSync(path)) return `${path} cannot be read.`
      const written = writePolicyIntoToml(before ?? '', read.policy)
      if (written.state === 'failed') return `${path}: ${inEnglish(written.reason)}`
      const first = changed && isAsLeft() ? changed.before : before
      const next = first === undefined ? undefined : { before: first, after: written.text }
      const problem = write(next, written.text)
      if (problem !== undefined) return problem
      const { enabled, windowTurns } = read.policy
      say(
        enabled
          ? `The page applied its policy: results older than ${windowTurns} turns are masked.`
          : 'The page applied its policy: nothing is masked.',
      )
      return undefined
    },
    /** Restores the file as it was before the page, unless it was changed by hand since; returns why it cannot. */
    takeBack: (): string | undefined => {
      if (changed === undefined || !isAsLeft()) return `${path} was changed since.`
      const { before } = changed
      const problem = write({ before, after: before }, before)
      if (problem !== undefined) return problem
      changed = undefined
      tell()
      say('The page took its policy back; the file is as it was before.')
      return undefined
    },
  }
}
