/** The commands as people start them: a process of their own, bytes in, bytes out. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readDocument } from '../core/formats/read-document'
import { maskDocument } from '../core/mask/mask-document'
import { DEFAULT_POLICY } from '../core/policy/policy'
import { CHAT_FILES, readTranscript, SAMPLE_FILES } from '../core/testing/transcripts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Finished {
  readonly status: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

function start(
  script: 'mask' | 'bench',
  args: readonly string[],
  input?: Buffer,
  from = folder,
): Finished {
  // As `npm run` does it: in the project's folder, with the caller's in INIT_CWD.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.mjs', `lib/cli/${script}.ts`, ...args],
    { cwd: root, env: { ...process.env, INIT_CWD: from }, input, maxBuffer: 1e9 },
  )
  return { status, stdout, stderr: stderr.toString() }
}

describe('the commands', () => {
  test.each([...SAMPLE_FILES.slice(0, 1), ...CHAT_FILES])(
    'mask prints the bytes of the masked document: $name',
    (file) => {
      const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 4, textParts: true }
      const text = readTranscript(file)
      const expected = Buffer.from(maskDocument({ text, ...readDocument(text) }, policy).text)
      const args = [basename(file.path), '--window-turns', '4', '--text-parts']
      const { status, stdout, stderr } = start('mask', args, undefined, dirname(file.path))
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout.equals(expected)).toBe(true)
    },
  )

  test('mask gives the very bytes of a file with nothing to mask', () => {
    const bytes = Buffer.from(
      '\ufeff[{"role":"user","content":"\\ud800 é 😀 \u2028","n":1.0}]\r\n \r\n',
    )
    writeFileSync(join(folder, 'plain.json'), bytes)
    expect(start('mask', ['plain.json']).stdout.equals(bytes)).toBe(true)
    expect(start('mask', ['-'], bytes).stdout.equals(bytes)).toBe(true)
  })

  test('mask ends quietly when its reader has seen enough', () => {
    const [file] = SAMPLE_FILES
    const command = `"${process.execPath}" scripts/run.mjs lib/cli/mask.ts "${file?.path}" | head -c 5`
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root })
    expect(stdout.toString()).toBe(
      readFileSync(file?.path ?? '')
        .toString()
        .slice(0, 5),
    )
    expect(stderr.toString()).toBe('')
  })

  test('bad input is a sentence, status 2 and nothing on standard output', () => {
    const { status, stdout, stderr } = start('mask', ['absent.json'])
    expect([status, stdout.length, stderr]).toEqual([2, 0, 'There is no file absent.json.\n'])
    expect(start('bench', ['--nothing']).status).toBe(2)
  })

  test('bench prints one JSON object', () => {
    const { status, stdout } = start('bench', ['--json'])
    expect([status, Object.keys(JSON.parse(stdout.toString()))[0]]).toEqual([0, 'window_turns'])
  })

  test('--help says how to use them', () => {
    for (const script of ['mask', 'bench'] as const) {
      const { status, stdout, stderr } = start(script, ['--help'])
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout.toString()).toContain(`npm run --silent ${script} -- `)
    }
  })
})
