// Rows as aligned text. Numbers go to the right, everything else to the left.

export function textTable(header, rows, rightColumns = []) {
  const lines = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [header, rule, ...rows]
    .map((line) =>
      line
        .map((cell, column) =>
          rightColumns.includes(column)
            ? cell.padStart(widths[column])
            : cell.padEnd(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
