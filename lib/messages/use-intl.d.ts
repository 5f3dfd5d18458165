import type help from './en/help.json'
import type { Language, Messages } from './languages'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages & { readonly help: typeof help }
    Locale: Language
  }
}
