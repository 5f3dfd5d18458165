import { describe, expect, test } from 'vitest'
import { lineExcerpt } from './message-content'

describe('lineExcerpt', () => {
  test('gives the line around a character', () => {
    const text = '{\n  "a": 1,\r\n  b: 2\n}'
    expect(lineExcerpt(text, text.indexOf('b'))).toEqual({ before: '  ', found: 'b', after: ': 2' })
    expect(lineExcerpt(text, 0)).toEqual({ before: '', found: '{', after: '' })
    expect(lineExcerpt(text, text.length)).toEqual({ before: '}', found: '', after: '' })
    const atEnd = { before: '  "a": 1,', found: '', after: '' }
    expect(lineExcerpt(text, text.indexOf('\r'))).toEqual(atEnd)
  })

  test('cuts a long line on both sides, but no character in two', () => {
    const text = '🌍'.repeat(100)
    const { before, found, after } = lineExcerpt(text, 100)
    expect(found).toBe('🌍')
    for (const part of [before, after]) expect(part).toMatch(/^(🌍){16}$/u)
    const shifted = `${'🌍'.repeat(50)}a${'🌍'.repeat(50)}`
    expect(lineExcerpt(shifted, 107)).toEqual({
      before: `${'🌍'.repeat(13)}a${'🌍'.repeat(3)}`,
      found: '🌍',
      after: '🌍'.repeat(16),
    })
  })
})
