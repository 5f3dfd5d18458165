const collator = new Intl.Collator('en', { numeric: true })

/** Compares file names, with `run-2` before `run-10`. */
export const compareNames = (first: string, second: string): number =>
  collator.compare(first, second)
