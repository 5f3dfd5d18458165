'use client'

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { createFormatter, IntlProvider } from 'use-intl'
import { type Problem, sentenceOf } from '@/lib/core/problem'
import { ENGLISH_FORMAT, type FigureFormat, figureFormat } from '@/lib/core/report/figure-format'
import { inWords, type Words } from '@/lib/core/words/words'
import type { Language, LanguageTexts } from '@/lib/messages/languages'
import { FIRST_TEXTS, LANGUAGES, loadFirstTexts, loadTexts } from '@/lib/messages/languages'
import { STORAGE_KEYS, writeStored } from '@/lib/state/sync-stored'

interface Shown {
  readonly language: Language
  readonly texts: LanguageTexts
}

const TextsContext = createContext({
  texts: FIRST_TEXTS,
  choose: (_: Language) => {},
  complete: () => {},
})
/** The formats of figures in the page's language. */
export const FormatContext = createContext(ENGLISH_FORMAT)

/** Gives the views their texts. The page is delivered in English; other texts replace them as soon as they are loaded. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [{ language, texts }, setShown] = useState<Shown>({ language: 'en', texts: FIRST_TEXTS })
  useEffect(() => {
    void early?.then(setShown, keepTexts)
  }, [])
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    document.documentElement.lang = language
    if (dataset.language === language) delete dataset.language
  }, [language])
  const choose = (next: Language) => {
    writeStored(() => localStorage, STORAGE_KEYS.language, next)
    void loadTexts(next).then((texts) => setShown({ language: next, texts }), keepTexts)
  }
  const complete = useCallback(() => {
    const add = (all?: LanguageTexts) =>
      setShown((shown) =>
        shown.language !== language || shown.texts.areAll
          ? shown
          : { language, texts: all ?? { ...shown.texts, areAll: true } },
      )
    void loadTexts(language).then(add, (error: unknown) => {
      keepTexts(error)
      add()
    })
  }, [language])
  const format = useMemo(
    () => figureFormat(createFormatter({ locale: language, timeZone: 'UTC' })),
    [language],
  )
  return (
    <IntlProvider locale={language} messages={texts.messages} timeZone="UTC">
      <TextsContext value={{ texts, choose, complete }}>
        <FormatContext value={format}>{children}</FormatContext>
      </TextsContext>
    </IntlProvider>
  )
}

/** Returns the action that changes and stores the language. */
export const useChooseLanguage = () => useContext(TextsContext).choose

/** Loads the texts of what is shown after the first view, once they are wanted; true when they are there. */
export function useAllTexts(isWanted: boolean): boolean {
  const { texts, complete } = useContext(TextsContext)
  const hasAll = texts.areAll
  useEffect(() => {
    if (isWanted && !hasAll) complete()
  }, [isWanted, hasAll, complete])
  return isWanted && hasAll
}

/** Puts words of the core into a language. */
export type PutIntoWords = (words: Words) => string

/** Returns the function that puts words of the core into the language of the page. */
export function useWords(): PutIntoWords {
  const { core } = useContext(TextsContext).texts
  return useCallback((words) => inWords(words, core), [core])
}

export const useComments = () => useContext(TextsContext).texts.comments

/** The texts of a language that `markLanguage` found: they load while React starts. */
const early = earlyTexts()

function earlyTexts(): Promise<Shown> | undefined {
  if (typeof document === 'undefined') return undefined
  const marked = LANGUAGES.find((one) => one === document.documentElement.dataset.language)
  if (marked === undefined) return undefined
  return loadFirstTexts(marked).then((texts) => ({ language: marked, texts }))
}

function keepTexts(error: unknown): void {
  console.warn('Texts of the page could not be loaded.', error)
  delete document.documentElement.dataset.language
}

/** The formats of figures in the page's language. */
export function useFigureFormat(): FigureFormat {
  return useContext(FormatContext)
}

/** Returns the function that describes what is wrong in an input, in the language of the page. */
export function useProblemSentence(): (problem: Problem) => string {
  const words = useWords()
  return useCallback((problem) => words(sentenceOf(problem)), [words])
}
