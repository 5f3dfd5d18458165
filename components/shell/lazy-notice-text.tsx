import { loadWithTexts } from '../load-with-texts'
import type { NoticeTextProps } from './notice-text'

/** The sentence of a notice; loads with the first one. */
export const LazyNoticeText = loadWithTexts<NoticeTextProps>(() =>
  import('./notice-text').then(({ NoticeText }) => NoticeText),
)
