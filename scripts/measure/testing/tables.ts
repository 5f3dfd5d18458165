/** What measurements are printed as. */

/** The largest of this share of the values, the lowest ones. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

/** A table for a page of `docs`, with a heading for each name; all columns but the first are aligned to the right. */
export function markdownTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const heads = Object.keys(rows[0] ?? {})
  const lines = heads.map((_, at) => (at === 0 ? '---' : '---:'))
  return [heads, lines, ...rows.map((row) => heads.map((head) => row[head]))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
