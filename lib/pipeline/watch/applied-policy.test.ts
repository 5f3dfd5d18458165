/** What the page may do to a policy file of the user. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { readPolicyToml, writePolicyToml } from '../../core/share/toml/policy-toml'
import { forAll } from '../../core/testing/test-size'
import { endAll, ending } from '../proxy/testing/start-proxy'
import { openAppliedPolicy } from './applied-policy'
import { makeFolder } from './testing/start-watch'

afterEach(endAll)

const OWN = `# mine
[other]
key = 1

[observation_masking.schema1]
enabled = true
window_turns = 3 # three

[later]
key = 2
`
const tomlOf = (windowTurns: number) =>
  writePolicyToml({ ...DEFAULT_POLICY, enabled: true, windowTurns }, true)

function open() {
  const folder = makeFolder()
  const [real, path] = [join(folder, 'real.toml'), join(folder, 'link.toml')]
  writeFileSync(real, OWN)
  chmodSync(real, 0o644)
  symlinkSync(real, path)
  const said: string[] = []
  const policy = openAppliedPolicy(path, (sentence) => said.push(sentence))
  ending.push(policy.close)
  const windowOf = () => {
    const read = readPolicyToml(policy.state().toml)
    return read.state === 'read' ? read.policy.windowTurns : undefined
  }
  return { real, path, said, policy, windowOf }
}

test('a policy is written into the file; the rest of it, its mode and a link to it stay, and all of it comes back', () => {
  const { real, path, policy, windowOf } = open()
  expect(policy.state()).toMatchObject({ canTakeBack: false, problem: null })
  for (const turns of [5, 6]) {
    expect(policy.apply(tomlOf(turns))).toBeUndefined()
    expect(windowOf()).toBe(turns)
    const text = readFileSync(real, 'utf8')
    for (const part of ['# mine', '[other]\nkey = 1', '[later]\nkey = 2', '# three'])
      expect(text).toContain(part)
  }
  expect([lstatSync(path).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o644])
  expect(policy.state().canTakeBack).toBe(true)
  policy.takeBack()
  expect([readFileSync(real, 'utf8'), windowOf()]).toEqual([OWN, 3])
  expect(policy.state().canTakeBack).toBe(false)
})

test('a change by hand is not taken back, and is what the next one goes back to', () => {
  const { real, said, policy, windowOf } = open()
  policy.apply(tomlOf(5))
  const byHand = OWN.replace('= 3', '= 4')
  writeFileSync(real, byHand)
  policy.reload()
  expect([windowOf(), policy.state().canTakeBack]).toEqual([4, false])
  expect(said.at(-1)).toContain('is read again')
  policy.takeBack()
  expect(readFileSync(real, 'utf8')).toBe(byHand)
  policy.apply(tomlOf(7))
  policy.takeBack()
  expect(readFileSync(real, 'utf8')).toBe(byHand)
})

test('the policy in use is told while the file is broken or gone, and why', () => {
  const { real, policy, windowOf } = open()
  writeFileSync(real, '[broken')
  policy.reload()
  expect([windowOf(), policy.state().problem]).toEqual([3, expect.stringContaining('Line 1')])
  expect(policy.apply(tomlOf(5))).toContain('Line 1')
  expect(readFileSync(real, 'utf8')).toBe('[broken')
  rmSync(real)
  policy.reload()
  expect([windowOf(), policy.state().problem]).toEqual([3, expect.stringContaining('ENOENT')])
  mkdirSync(real)
  policy.reload()
  expect([windowOf(), policy.state().problem]).toEqual([3, expect.stringContaining('EISDIR')])
  expect(policy.apply(tomlOf(5))).toContain('cannot be read')
  expect(policy.takeBack()).toContain('was changed since')
  rmdirSync(real)
  expect(policy.apply(tomlOf(5))).toBeUndefined()
  expect([windowOf(), policy.state()]).toMatchObject([5, { canTakeBack: false, problem: null }])
})

test('whatever the page and the user do, what the user wrote comes back, and only a policy differs meanwhile', () => {
  const step = fc.tuple(fc.constantFrom('apply', 'back', 'by hand', 'broken'), fc.nat(9))
  forAll(1000, [fc.array(step, { minLength: 3, maxLength: 8 })], (steps) => {
    const { real, policy, windowOf } = open()
    const textNow = () => readFileSync(real, 'utf8')
    let [users, isPages, used] = [OWN, false, 3]
    for (const [at, [event, turns]] of steps.entries()) {
      if (event === 'apply') {
        const isRefused = policy.apply(tomlOf(turns + 1)) !== undefined
        expect(isRefused).toBe(!isPages && users.startsWith('[broken'))
        if (!isRefused) [isPages, used] = [true, turns + 1]
      } else if (event === 'back') {
        expect(policy.takeBack() === undefined).toBe(isPages)
        if (isPages) [isPages, used] = [false, Number(/turns = (\d+)/.exec(users)?.[1])]
      } else {
        users =
          event === 'broken' ? `[broken ${at}` : `# ${at}\n${OWN.replace('= 3', `= ${turns + 1}`)}`
        writeFileSync(real, users)
        policy.reload()
        isPages = false
        if (event === 'by hand') used = turns + 1
      }
      expect([windowOf(), policy.state().canTakeBack]).toEqual([used, isPages])
      const without = (text: string) => text.replace(/window_turns = \d+/, '').split('\n')
      if (isPages) expect(without(textNow())).toEqual(expect.arrayContaining(without(users)))
      else expect(textNow()).toBe(users)
    }
    policy.close()
  })
})
