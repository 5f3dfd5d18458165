/** All text of the interface in French, with the keys of `en.ts`. */
import { en } from './en'
import { errorLab } from './fr/error-lab-messages'
import type { Translated } from './translated'
import { typesetFrench } from './typeset-french'

export const fr: Translated<typeof en> = typesetFrench({ ...en, errorLab })
