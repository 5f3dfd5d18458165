'use client'

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { IntlProvider } from 'use-intl'
import {
  ENGLISH_TEXTS,
  LANGUAGES,
  type Language,
  type LanguageTexts,
  loadTexts,
} from '@/lib/messages/languages'
import { STORAGE_KEYS } from '@/lib/state/storage-keys'

interface Shown {
  readonly language: Language
  readonly texts: LanguageTexts
}

const ChooseContext = createContext<(language: Language) => void>(() => undefined)
const TextsContext = createContext(ENGLISH_TEXTS)

/** Gives the views their texts. The page is delivered in English; other texts replace them as soon as they are loaded. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [{ language, texts }, setShown] = useState<Shown>({ language: 'en', texts: ENGLISH_TEXTS })
  useEffect(() => {
    void early?.then(setShown, keepTexts)
  }, [])
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    document.documentElement.lang = language
    if (dataset.language === language) delete dataset.language
  }, [language])
  const choose = (next: Language) => {
    try {
      localStorage.setItem(STORAGE_KEYS.language, next)
    } catch {
      // The choice lasts as long as the page.
    }
    void load(next).then(setShown, keepTexts)
  }
  return (
    <IntlProvider locale={language} messages={texts.messages} timeZone="UTC">
      <TextsContext value={texts}>
        <ChooseContext value={choose}>{children}</ChooseContext>
      </TextsContext>
    </IntlProvider>
  )
}

/** Returns the action that changes and stores the language. */
export function useChooseLanguage(): (language: Language) => void {
  return useContext(ChooseContext)
}

/** Returns the texts that are no messages: what the core says, and comments of exports. */
export function useCoreTexts(): Pick<LanguageTexts, 'phrases' | 'comments'> {
  return useContext(TextsContext)
}

const load = async (language: Language): Promise<Shown> => ({
  language,
  texts: await loadTexts(language),
})

/** The texts of a language that `markLanguage` found: they load while React starts. */
const early = earlyTexts()

function earlyTexts(): Promise<Shown> | undefined {
  if (typeof document === 'undefined') return undefined
  const marked = LANGUAGES.find((one) => one === document.documentElement.dataset.language)
  return marked === undefined ? undefined : load(marked)
}

function keepTexts(error: unknown): void {
  console.warn('The texts of another language could not be loaded.', error)
  delete document.documentElement.dataset.language
}
