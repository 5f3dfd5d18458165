import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../core/policy/policy'
import { EXPORT_TARGETS } from '../core/share/exports/export-targets'
import { inputWithoutTranscript } from '../core/testing/export-input'
import table from './fr/comments.json'
import { phrasesOf, translateComments } from './translate-comments'

const comments = phrasesOf(table)

describe('Comments of exports', () => {
  const base: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
  const everything: MaskPolicy = {
    ...base,
    keepLastKPerTool: 2,
    batchTurns: 4,
    excludeTools: ['a'],
    triggerTokens: 100,
    neverGrow: true,
    textParts: true,
    linkByOrder: true,
    errorPatterns: ['x'],
    errorRules: ['traceback', 'stack_trace', 'json_error'],
    placeholderTemplate: '{tool_name} {original_tokens} {tool_arguments} {first_line}',
  }
  const MARK = /^ *(?:\/\/|#:?|\/\*\*|""") ?/
  const END = /(?: \*\/|""")$/
  /** Commands to run and code to copy. */
  const CODE =
    /^(?:npx |npm install (?:@?[\w/:.-]+ ?)+$|messages = |answer = |import |from |\w+\(.*[)=,]|new |\w+: \w|callbacks|model=|def |litellm_settings|return )/

  test.each(EXPORT_TARGETS)('$id', ({ write }) => {
    for (const policy of [base, DEFAULT_POLICY, everything]) {
      const { text } = write(inputWithoutTranscript(policy))
      const french = translateComments(text, comments).split('\n')
      let isDocstring = false
      for (const [at, line] of text.split('\n').entries()) {
        const isComment = isDocstring || MARK.test(line)
        if (line.split('"""').length === 2) isDocstring = !isDocstring
        const words = line.replace(MARK, '').replace(END, '').trim()
        const isSentence = isComment && words.includes(' ') && !CODE.test(words)
        if (isSentence) expect(french[at], line).not.toBe(line)
        if (!isComment) expect(french[at]?.split(' # ')[0]).toBe(line.split(' # ')[0])
        expect(french[at]?.match(/"""|\*\//g)).toEqual(line.match(/"""|\*\//g))
      }
    }
  })
})
