/** The languages of the page, and how their texts are loaded. */
import type { Catalogue } from '@/lib/core/words/words'
import firstEn from './en/first.json'
import type laterEn from './en/later.json'
import type { Phrases } from './translate-comments'

export const LANGUAGES = ['en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

export type Messages = typeof firstEn & typeof laterEn

/** Texts of a language. */
export interface LanguageTexts {
  readonly messages: Messages
  /** The words of the core. */
  readonly core: Catalogue
  /** Comments of exports. */
  readonly comments: Phrases
  /** False while only the texts of the first view are there. No view asks for the others before. */
  readonly areAll: boolean
}

const unchanged: Phrases = (text) => text

/** The texts of the page as it is delivered. */
export const FIRST_TEXTS = firstTexts(firstEn, {})

function firstTexts(messages: typeof firstEn, core: Catalogue): LanguageTexts {
  return { messages: messages as Messages, core, comments: unchanged, areAll: false }
}

/** Loads the texts of the first view. */
export async function loadFirstTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') return FIRST_TEXTS
  const [first, names] = await Promise.all([import('./fr/first.json'), import('./fr/names.json')])
  return firstTexts(first.default, names.default)
}

/** Loads all texts of a language. */
export async function loadTexts(language: Language): Promise<LanguageTexts> {
  const { messages: first, core: names } = await loadFirstTexts(language)
  if (language === 'en') {
    const [later, { ENGLISH: core }] = await Promise.all([
      import('./en/later.json'),
      import('@/lib/core/words/english'),
    ])
    return { messages: join(first, later.default), core, comments: unchanged, areAll: true }
  }
  const [later, core, comments, { phrasesOf }] = await Promise.all([
    import('./fr/later.json'),
    import('./fr/core.json'),
    import('./fr/comments.json'),
    import('./translate-comments'),
  ])
  const { problems, words, libraries } = core.default
  return {
    messages: join(first, later.default),
    core: { ...names, ...libraries, ...problems, ...words },
    comments: phrasesOf(comments.default),
    areAll: true,
  }
}

/** Joins texts whose groups are partly in the first view. */
function join<First extends object, Later extends object>(first: First, later: Later) {
  const texts = { ...first } as Record<string, unknown>
  for (const [key, value] of Object.entries(later)) {
    const before = texts[key]
    const isGroup = typeof before === 'object' && before !== null
    texts[key] = isGroup ? join(before, value) : value
  }
  return texts as First & Later
}
