/** A text from which spans are read: a string, or pieces of one. Offsets are in UTF-16 code units. */
export interface TextSlices {
  readonly length: number
  readonly slice: (start: number, end?: number) => string
}
