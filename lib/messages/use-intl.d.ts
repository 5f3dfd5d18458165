import type { en } from './en'

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en
    Locale: 'en'
  }
}
