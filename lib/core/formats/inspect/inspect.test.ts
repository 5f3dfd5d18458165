import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../testing/problems-of'
import { ARCHIVED_FILES, CORPUS_FILES, readTranscript } from '../../testing/transcripts'

describe.skipIf(ARCHIVED_FILES.length === 0)('a published archive', () => {
  const others = ARCHIVED_FILES.filter((file) => !CORPUS_FILES.includes(file))

  test('contains one transcript', () => {
    expect(others.length).toBe(ARCHIVED_FILES.length - 1)
  })

  test.each(others)('$name gives a sentence and is not a transcript', (file) => {
    const { format, problems } = problemsOf(readTranscript(file))
    expect(format).toBe('unread')
    expect(problems).toMatchObject([[/expected|not a transcript/, expect.anything()]])
  })
})
