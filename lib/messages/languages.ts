/** The languages of the page, and how their texts are loaded. */
import type { PROBLEM_SENTENCES } from '@/lib/core/problem'
import firstEn from './en/first.json'
import type laterEn from './en/later.json'
import type { Phrases } from './phrases'

export const LANGUAGES = ['en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

type Later = typeof laterEn & {
  readonly problems: Readonly<Record<keyof typeof PROBLEM_SENTENCES, string>>
}

export type Messages = typeof firstEn & Later

/** Texts of a language. */
export interface LanguageTexts {
  readonly messages: Messages
  /** Texts that the core makes. */
  readonly phrases: Phrases
  /** Comments of exports. */
  readonly comments: Phrases
  /** False while only the texts of the first view are there. No view asks for the others before. */
  readonly areAll: boolean
}

const unchanged: Phrases = (text) => text

/** The texts of the page as it is delivered. */
export const FIRST_TEXTS = firstTexts(firstEn, unchanged)

function firstTexts(messages: typeof firstEn, phrases: Phrases): LanguageTexts {
  return { messages: messages as Messages, phrases, comments: unchanged, areAll: false }
}

/** Loads the texts of the first view. */
export async function loadFirstTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') return FIRST_TEXTS
  const [first, { firstPhrases }] = await Promise.all([
    import('./fr/first.json'),
    import('./first-fr'),
  ])
  return firstTexts(first.default, firstPhrases)
}

/** Loads all texts of a language. */
export async function loadTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') {
    const [later, { PROBLEM_SENTENCES: problems }] = await Promise.all([
      import('./en/later.json'),
      import('@/lib/core/problem'),
    ])
    const messages = join(firstEn, { ...later.default, problems })
    return { messages, phrases: unchanged, comments: unchanged, areAll: true }
  }
  const [first, later, { phrases, comments }] = await Promise.all([
    import('./fr/first.json'),
    import('./fr/later.json'),
    import('./fr'),
  ])
  return { messages: join(first.default, later.default), phrases, comments, areAll: true }
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
