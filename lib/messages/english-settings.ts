/** Made at build, so that the first view has no words of flags and comments. */
import englishSettings from '../core/words/settings.json'
import { settingMessages } from './setting-messages'

export const ENGLISH_SETTINGS = settingMessages(englishSettings)
