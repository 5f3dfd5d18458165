/** The texts of settings are of their language, and have the settings that the vendor's file can hold. */
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { load, sourceFolder } from '../share/exports/testing/run-in-packages'
import { answerOf, whyNoPython } from '../share/exports/testing/run-in-python'
import { fuzz } from '../testing/test-size'
import { defaultSettings, type Mechanism, type Settings } from './mechanism'
import { MECHANISMS } from './mechanisms'
import { anySettings } from './testing/any-settings'
import { writeSettings } from './write-settings'

const folder = sourceFolder('write-settings')
afterAll(folder.end)

const mechanismOf = (id: string) => MECHANISMS.find((one) => one.id === id) as Mechanism
const writtenBy = (mechanism: Mechanism, settings: Settings) =>
  writeSettings(mechanism, settings) as NonNullable<ReturnType<typeof writeSettings>>
const EXPORTED = MECHANISMS.filter((one) => one.export !== undefined)

/** Made once: it takes a second. */
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('"{keep}"\n\\\u2028\ud800'))

/** Settings with texts and names of tools that languages escape, by number. */
function someSettings(mechanism: Mechanism, count = 300): Settings[] {
  const anyNames = fc.array(anyText, { maxLength: 3 })
  const anyOwn = fc
    .tuple(anySettings(mechanism), anyText, anyNames)
    .map(([settings, text, names]) =>
      Object.fromEntries(
        mechanism.rows.map(({ key, value, options }) => {
          if (Array.isArray(value)) return [key, names]
          return [key, typeof value === 'string' && !options ? text : (settings[key] ?? value)]
        }),
      ),
    )
  return [defaultSettings(mechanism), ...fc.sample(anyOwn, fuzz(count))]
}

/** What a line of the template asks for. */
const keysIn = (line: string) =>
  [...line.matchAll(/(?:^|\s)[?!](\S+) |\{([\w.]+)\}/g)].map(([, asked, put]) => asked ?? put)

describe.each(EXPORTED.map((mechanism) => [mechanism.id, mechanism] as const))('%s', (_, one) => {
  const { lines = [], note = '' } = one.export ?? {}

  test('each setting is written, or the note names it', () => {
    const known = one.rows.map(({ key }) => key)
    const used = lines.flatMap(keysIn)
    expect(used.filter((key) => key === undefined || !known.includes(key))).toEqual([])
    expect(known.filter((key) => !used.includes(key) && !note.includes(key))).toEqual([])
  })

  test('a setting that is changed changes the text or is named by the note', () => {
    const defaults: Settings = { ...defaultSettings(one), toolCalls: 'all' }
    for (const { key, value, options } of one.rows) {
      const other = {
        number: 7,
        string: options?.find((one) => one !== defaults[key]) ?? 'other',
        boolean: !value,
        object: ['read'],
      }[typeof value as 'number' | 'string' | 'boolean' | 'object'] as Settings[string]
      const changed = writtenBy(one, { ...defaults, [key]: other })
      if (!changed.note.includes(key))
        expect(changed.text, key).not.toBe(writtenBy(one, defaults).text)
    }
  })
})

test('JSON has the settings', () => {
  const opencode = mechanismOf('opencode-prune')
  const gemini = mechanismOf('gemini-cli-mask')
  const anthropic = mechanismOf('anthropic-clear-tool-uses')
  const compact = mechanismOf('anthropic-compact')
  const read = (one: Mechanism, settings: Settings) => JSON.parse(writtenBy(one, settings).text)
  for (const settings of someSettings(opencode))
    expect(read(opencode, settings).compaction).toEqual({ prune: settings.prune })
  for (const settings of someSettings(gemini))
    expect(read(gemini, settings)).toEqual({
      contextManagement: { tools: { outputMasking: settings } },
    })
  for (const settings of someSettings(compact))
    expect(read(compact, settings).context_management.edits).toEqual([
      { type: 'compact_20260112', trigger: { type: 'input_tokens', value: settings.trigger } },
    ])
  const claudeCode = mechanismOf('claude-code-compact')
  for (const { summary_tokens: _, ...settings } of someSettings(claudeCode)) {
    const own = Object.entries(settings).filter(
      ([key, value]) => value !== 0 || key.endsWith('WINDOW'),
    )
    const written = own.map(([key, value]) => [key, String(value)])
    expect(read(claudeCode, settings).env).toEqual(Object.fromEntries(written))
  }
  for (const settings of someSettings(anthropic)) {
    const [edit, ...others] = read(anthropic, settings).context_management.edits
    expect(others).toEqual([])
    const { type, trigger, keep, clear_at_least, exclude_tools = [], clear_tool_inputs } = edit
    const uses = settings['trigger.tool_uses'] as number
    expect({ type, trigger, keep, exclude_tools, clear_tool_inputs }).toEqual({
      type: 'clear_tool_uses_20250919',
      trigger:
        uses > 0
          ? { type: 'tool_uses', value: uses }
          : { type: 'input_tokens', value: settings['trigger.input_tokens'] },
      keep: { type: 'tool_uses', value: settings.keep },
      exclude_tools: settings.exclude_tools,
      clear_tool_inputs: settings.clear_tool_inputs || undefined,
    })
    expect(clear_at_least?.value ?? 0).toBe(settings.clear_at_least)
    expect(clear_at_least?.type ?? 'input_tokens').toBe('input_tokens')
  }
})

test('TOML and YAML have the settings', () => {
  const membersOf = (settings: Settings) =>
    Object.entries(settings).map(([key, value]) => `${key}: ${value}`)
  const hermes = mechanismOf('hermes-prune')
  for (const settings of someSettings(hermes)) {
    const [top, ...members] = writtenBy(hermes, settings).text.trimEnd().split('\n  ')
    expect([top, ...members.sort()]).toEqual(['compression:', ...membersOf(settings).sort()])
  }
  const openhands = mechanismOf('openhands-mask')
  const sweAgent = mechanismOf('swe-agent-last-n')
  for (const settings of someSettings(openhands))
    expect(parse(writtenBy(openhands, settings).text)).toEqual({
      condenser: { type: 'observation_masking', ...settings },
    })
  for (const settings of someSettings(sweAgent)) {
    const [top, ...members] = writtenBy(sweAgent, settings).text.trimEnd().split('\n      ')
    expect(top).toBe('agent:\n  history_processors:\n    - type: last_n_observations')
    expect(members).toEqual(membersOf(settings))
  }
})

/** The values of the arguments of the innermost call, without those that are not written. */
const READ = `
import ast, json, sys
def arguments(text):
    calls = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Call)]
    return {one.arg: ast.literal_eval(one.value) for one in calls[-1].keywords}
print(json.dumps([arguments(text) for text in json.load(sys.stdin)]))
`

const noPython = whyNoPython()
test.skipIf(noPython !== undefined).each(['langchain-py-clear-tool-uses', 'openai-agents-trim'])(
  'Python has the settings: %s',
  (id) => {
    const mechanism = mechanismOf(id)
    const all = someSettings(mechanism)
    const read = answerOf(
      READ,
      all.map((settings) => writtenBy(mechanism, settings).text),
    ) as Settings[]
    for (const [index, { persisted: _, ...settings }] of all.entries()) {
      const off = { clear_at_least: 0, clear_tool_inputs: false, exclude_tools: [] }
      const absent = mechanism.id === 'openai-agents-trim' ? { trimmable_tools: [] } : off
      expect({ ...absent, ...read[index] }).toEqual(settings)
    }
  },
)

test('TypeScript is code that its package takes', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  for (const id of ['langchain-js-clear-tool-uses', 'ai-sdk-prune-messages'])
    for (const settings of someSettings(mechanismOf(id), 75)) {
      const { language, text } = writtenBy(mechanismOf(id), settings)
      expect(language).toBe('typescript')
      expect(Object.keys(await load(folder.write(text)))).toHaveLength(1)
    }
})

test('a list of tools is on, whatever they are called', () => {
  const lines = ['?tools {tools}', '!tools none', '?size ?tools both']
  const template = { export: { title: '', language: 'json', lines } } as const
  for (const tools of [['none'], ['0'], ['']])
    expect(writeSettings(template, { tools, size: 0 })?.text).toBe(`${JSON.stringify(tools)}\n`)
  expect(writeSettings(template, { tools: [], size: 1 })?.text).toBe('none\n')
  expect(writeSettings(template, { tools: ['a'], size: 1 })?.text).toBe('["a"]\nboth\n')
})

test.each(['schema1', 'truncate', 'claude-code-cold-clear'])(
  'nothing is written where no vendor has a place for it: %s',
  (id) => {
    expect(writeSettings(mechanismOf(id), {})).toBeUndefined()
  },
)
