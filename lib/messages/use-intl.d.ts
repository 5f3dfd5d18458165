import type { en } from './en'
import type { Language } from './languages'

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en
    Locale: Language
  }
}
