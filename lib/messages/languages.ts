/** The languages of the page, and how their texts are loaded. */
import type englishExports from '@/lib/core/words/exports.json'
import type { Catalogue } from '@/lib/core/words/words'
import firstEn from './en/first.json'
import type laterEn from './en/later.json'
import { ENGLISH_SETTINGS } from './english-settings'
import { type SettingMessages, settingMessages } from './setting-messages'

export const LANGUAGES = ['en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

type Exports = Omit<typeof englishExports, 'comments'>

export type Messages = typeof firstEn &
  typeof laterEn &
  SettingMessages & { readonly share: { readonly export: Exports } }

export interface LanguageTexts {
  readonly messages: Messages
  /** The words of the core. */
  readonly core: Catalogue
  /** Comments of exports. */
  readonly comments: Catalogue
  /** False while only the texts of the first view are there. No view asks for the others before. */
  readonly areAll: boolean
}

/** The texts of the page as it is delivered. */
export const FIRST_TEXTS = firstTexts(firstEn, ENGLISH_SETTINGS, {})

function firstTexts(first: typeof firstEn, settings: SettingMessages, core: Catalogue) {
  const messages = join(first, settings) as Messages
  return { messages, core, comments: {}, areAll: false }
}

/** Loads the texts of the first view. */
export async function loadFirstTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') return FIRST_TEXTS
  const [first, settings, names] = await Promise.all([
    import('./fr/first.json'),
    import('./fr/settings.json'),
    import('./fr/names.json'),
  ])
  return firstTexts(first.default, settingMessages(settings.default), names.default)
}

export async function loadTexts(language: Language): Promise<LanguageTexts> {
  const { messages: first, core: names } = await loadFirstTexts(language)
  if (language === 'en') {
    const [later, exports, { ENGLISH: core }, { ENGLISH_COMMENTS: comments }] = await Promise.all([
      import('./en/later.json'),
      import('@/lib/core/words/exports.json'),
      import('@/lib/core/words/english'),
      import('@/lib/core/words/comments'),
    ])
    const messages = joinLater(first, later.default, exports.default)
    return { messages, core, comments, areAll: true }
  }
  const [later, exports, settings, core, { commentsOf }] = await Promise.all([
    import('./fr/later.json'),
    import('./fr/exports.json'),
    import('./fr/settings.json'),
    import('./fr/core.json'),
    import('@/lib/core/words/comments'),
  ])
  const { problems, words, libraries, mechanisms } = core.default
  return {
    messages: joinLater(first, later.default, exports.default),
    core: { ...names, ...libraries, ...mechanisms, ...problems, ...words },
    comments: commentsOf(exports.default, settings.default),
    areAll: true,
  }
}

function joinLater(first: Messages, later: typeof laterEn, { names, abouts }: Exports) {
  return join(first, join(later, { share: { export: { names, abouts } } }))
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
