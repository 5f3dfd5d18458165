import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { inputWithoutTranscript } from '../../testing/export-input'
import { anyPolicy } from '../../testing/policies'
import { forAll } from '../../testing/test-size'
import { EXPORT_TARGETS } from './export-targets'
import { policyJson } from './native-exports'
import { providerAddress } from './provider-address'
import {
  CODING_SESSION,
  DATA_ANALYSIS,
  ESTIMATED,
  exported,
  inputFor,
  ON,
  POLICIES,
  SAMPLES,
} from './testing/export-samples'
import { load, ROOT, sourceFolder } from './testing/run-in-packages'

const folder = sourceFolder('exports')
afterAll(folder.end)

test('every export is written for any policy, with or without a transcript', () => {
  forAll(100, [anyPolicy, fc.boolean()], (policy, hasTranscript) => {
    const input = hasTranscript ? inputFor(DATA_ANALYSIS, policy) : inputWithoutTranscript(policy)
    for (const { write, mediaType } of EXPORT_TARGETS) {
      const text = write(input)
      expect(text).toMatch(/\n$/)
      // JSON has no comments.
      if (!mediaType.endsWith('json')) expect(text).toMatch(/^(?:\/\/|#|'''|""") ?\S/)
    }
  })
})

test.each([
  ['anthropic/claude-opus-4-5', 'openai-chat', 'https://api.anthropic.com', ''],
  [undefined, 'claude-code', 'https://api.anthropic.com', ''],
  [undefined, 'openai-chat', 'https://api.openai.com/v1', '/v1'],
  ['own/new-model', 'gemini', 'https://generativelanguage.googleapis.com', ''],
  ['own/new-model', 'openai-chat', 'https://host/v1', '/v1'],
  ['aws/anthropic.claude', 'bedrock-converse', 'https://bedrock-runtime.REGION.amazonaws.com', ''],
] as const)('the proxy forwards to the provider of %s in %s', (model, format, address, path) => {
  const provider = providerAddress(model, format)
  const { text } = exported('proxy', { ...inputWithoutTranscript(ON), provider })
  expect(text).toContain(`--target ${address} --config policy.toml`)
  expect(text).toContain(`gets http://127.0.0.1:8787${path} as its base URL.`)
})

describe('exports for this project', () => {
  test('the JSON has the published names', () => {
    expect(policyJson(DEFAULT_POLICY)).toEqual({
      ...{ enabled: false, window_turns: 8, keep_errors: true, keep_last_k_per_tool: 0 },
      placeholder_template: DEFAULT_POLICY.placeholderTemplate,
    })
    expect(policyJson({ ...ON, batchTurns: 16 })).toMatchObject({ extensions: { batch_turns: 16 } })
  })

  test.each(POLICIES)('the library call masks like the page: %s', async (_, policy) => {
    for (const sample of SAMPLES) {
      const { mask } = await load(folder.write(exported('library', inputFor(sample, policy)).text))
      const masked = (mask as (messages: object[]) => object[])(sample.messages)
      expect(masked).toEqual(maskedMessages(sample, policy))
    }
  })
})

/** The messages of a sample as the page masks them. */
function maskedMessages({ text, document }: (typeof SAMPLES)[number], policy: MaskPolicy) {
  const masked = JSON.parse(maskDocument({ text, ...document }, policy).text)
  return masked.messages ?? masked
}

// Its settings are written as those of the library call.
test.each(POLICIES.slice(-2))('the fetch wrapper masks like the page: %s', async (_, policy) => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)).messages)
    return new Response()
  })
  const source = exported('fetch', inputWithoutTranscript(policy)).text
  const { maskingFetch } = await load(folder.write(source))
  const body = JSON.stringify({ model: 'm', messages: CODING_SESSION.messages })
  await (maskingFetch as typeof fetch)('http://127.0.0.1/', { method: 'POST', body })
  expect(sent).toEqual([maskedMessages(CODING_SESSION, policy)])
})

test("TypeScript exports pass the compiler's strict check against the real packages' types", () => {
  const checked = sourceFolder('exports-types')
  for (const [, policy] of [...POLICIES, ['estimated', ESTIMATED] as const]) {
    for (const { mediaType, write } of EXPORT_TARGETS) {
      if (mediaType === 'text/typescript') checked.write(write(inputFor(CODING_SESSION, policy)))
    }
  }
  const compilerOptions = { incremental: false, plugins: [] }
  const settings = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] }
  writeFileSync(join(checked.folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', '--checkers', '1', '-p', checked.folder]
  const run = spawnSync(process.execPath, [tsc, ...flags])
  checked.end()
  expect(`${run.stdout}${run.stderr}`).toBe('')
}, 120_000)
