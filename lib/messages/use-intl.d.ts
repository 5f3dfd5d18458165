import type { en } from './en'
import type { help } from './en/help-messages'
import type { Language } from './languages'

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en & { readonly help: typeof help }
    Locale: Language
  }
}
