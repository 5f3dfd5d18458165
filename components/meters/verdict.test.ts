import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { loadTexts } from '@/lib/messages/languages'

test.each(['en', 'fr'] as const)(
  'a verdict has a subject, and at most 14 words: %s',
  async (locale) => {
    const { messages } = await loadTexts(locale)
    const t = createTranslator({ locale, messages, namespace: 'verdict' })
    const tags = Object.fromEntries(['b', 'good', 'bad', 'long'].map((tag) => [tag, String]))
    for (const kind of ['saves', 'costs', 'same'])
      for (const worst of ['saves', 'costs', 'same']) {
        const isSame = worst === kind ? 'yes' : 'no'
        const words = ['now', 'worst'].map((key) =>
          t.markup(key as 'now', {
            ...tags,
            kind: key === 'now' ? kind : worst,
            share: '9%',
            isSame,
          }),
        )
        expect(words.join('')).toMatch(/^(Masking|Masquer) /)
        expect(words.join('').split(/\s+/).length).toBeLessThanOrEqual(14)
      }
  },
)
