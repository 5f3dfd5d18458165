/** The texts of another language: the keys of the English ones, and any words. The compiler names a key that is missing or unknown. */
export type Translated<Texts> = Texts extends string
  ? string
  : { readonly [Key in keyof Texts]: Translated<Texts[Key]> }
