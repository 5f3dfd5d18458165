/** The commands as people start them: a process of their own, bytes in, bytes out. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readDocument } from '../core/formats/read-document'
import { maskDocument } from '../core/mask/mask-document'
import { DEFAULT_POLICY } from '../core/policy/policy'
import { readTranscript, SAMPLE_FILES } from '../core/testing/transcripts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'commands-'))
/** The commands in a bundle, which starts faster than their sources; beside the packages that it loads. */
const bundle = join(root, 'node_modules/.cache', `commands-${process.pid}`)
const MAIN = join(bundle, 'main.js')
execFileSync(join(root, 'node_modules/.bin/esbuild'), [
  ...[join(root, 'lib/cli/main.ts'), `--outdir=${bundle}`, '--bundle', '--log-level=error'],
  ...['--format=esm', '--splitting', '--platform=node', '--packages=external'],
])
writeFileSync(join(bundle, 'package.json'), '{"type":"module"}')
afterAll(() => {
  for (const made of [folder, bundle]) rmSync(made, { recursive: true })
})

function start(script: string, args: readonly string[], input?: Buffer, from = folder) {
  // As `npm run` does it: in the project's folder, with the caller's in INIT_CWD.
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, script, ...args], {
    cwd: root,
    env: { ...process.env, INIT_CWD: from },
    input,
    maxBuffer: 1e9,
  })
  return { status, stdout, stderr: stderr.toString() }
}

/** Starts `mask` with the rest of a shell command; standard output and standard error of the shell. */
function inShell(rest: string, before = ''): [stdout: string, stderr: string] {
  const command = `${before} "${process.execPath}" "${MAIN}" mask ${rest}`
  const { stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: root,
    env: { ...process.env, INIT_CWD: folder, PLACE: folder },
    encoding: 'utf8',
  })
  return [stdout, stderr]
}

describe('the commands', () => {
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 4, textParts: true }
  const flags = ['--window-turns', '4', '--text-parts']
  const maskedBytes = (text: string) =>
    Buffer.from(maskDocument({ text, ...readDocument(text) }, policy).text)

  test.each(SAMPLE_FILES.slice(1, 2))('mask prints the bytes of the masked document', (file) => {
    const args = [basename(file.path), ...flags]
    const { status, stdout, stderr } = start('mask', args, undefined, dirname(file.path))
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/23 masked results look.*exit_code/),
    ])
    expect(stdout.equals(maskedBytes(readTranscript(file)))).toBe(true)
  })

  test('mask prints the same bytes if there is nothing to mask', () => {
    const bytes = Buffer.from(
      '\ufeff[{"role":"user","content":"\\ud800 é 😀 \u2028","n":1.0}]\r\n \r\n',
    )
    writeFileSync(join(folder, 'plain.json'), bytes)
    expect(start('mask', ['plain.json']).stdout.equals(bytes)).toBe(true)
    expect(start('mask', ['-'], bytes).stdout.equals(bytes)).toBe(true)
  })

  const messageOf = (content: string) => JSON.stringify([{ role: 'user', content }])
  writeFileSync(join(folder, 'small.json'), messageOf('a'))
  writeFileSync(join(folder, 'large.json'), messageOf('x'.repeat(4e6)))

  test('mask is silent and has status 0 if its reader closes a pipe before a large output', () => {
    expect(inShell('large.json | head -c1; echo " $?"', 'set -o pipefail;')).toEqual(['[ 0\n', ''])
  })

  // Only Linux has /dev/full.
  const output = 'Standard output cannot be written'
  const input = 'Standard input'
  const nothing = 'There is nothing here yet; expected a transcript as JSON or JSON Lines.'
  test.skipIf(!existsSync('/dev/full')).each([
    ['a full device', 'small.json >/dev/full', `${output} (ENOSPC).`],
    ['a full device, for help', '--help >/dev/full', `${output} (ENOSPC).`],
    ['a file that cannot grow', 'large.json >"$PLACE/cut"', `${output} (EFBIG).`, 'ulimit -f 8;'],
    ['closed input', '- <&-', `${input}: ${nothing}`],
    ['input that is not open for reading', '- 0>/dev/null', `${input} cannot be read (EBADF).`],
  ])('mask ends with a sentence and status 2: %s', (_, command, sentence, before = '') => {
    expect(inShell(`${command}; echo $? >&2`, before)).toEqual(['', `${sentence}\n2\n`])
  })

  test('an unwritable standard error does not change the status', () => {
    expect(inShell('absent.json 2>/dev/full; echo $?')).toEqual(['2\n', ''])
  })

  test('help names every command, and that of each has all its values', () => {
    const { status, stdout } = start('--help', [])
    expect(status).toBe(0)
    for (const name of ['bench', 'mask', 'repair', 'uses']) {
      expect(String(stdout)).toContain(`\n  ${name} `)
      const { stdout: own } = start(name, ['--help'])
      expect(String(own)).not.toContain('undefined')
    }
  })

  test('an unknown command is a sentence and status 2', () => {
    const { status, stderr } = start('constructor', [])
    const sentence = 'There is no command "constructor"; expected bench, mask, repair, uses, watch.'
    expect([status, stderr]).toEqual([2, `${sentence}\n`])
  })
})
