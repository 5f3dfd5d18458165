/** Style of popups, the only elements with a shadow. */
export const POPUP_SURFACE =
  'rounded-lg border border-line bg-raised text-ink shadow-[0_12px_32px_#0000001f] dark:shadow-[0_12px_32px_#00000080] origin-(--transform-origin) transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:scale-98 data-ending-style:opacity-0'

/** Style of text fields. */
export const FIELD_SURFACE =
  'rounded-md border border-line bg-raised text-ink hover:border-ghost focus:border-accent focus:outline-1 focus:outline-accent focus:outline-offset-0 disabled:text-faint'

/** Style of a box around a field and something beside it, with the focus ring of the field. */
export const FIELD_GROUP =
  'rounded-md border border-line bg-raised text-ink focus-within:border-accent focus-within:outline-1 focus-within:outline-accent hover:border-ghost'
