import { FORMATS, type FormatId } from './read-document'

/** The ids of all formats. Evaluated at build, so that the page does not load the readers for them. */
export const FORMAT_IDS: readonly FormatId[] = FORMATS.map(({ id }) => id)
