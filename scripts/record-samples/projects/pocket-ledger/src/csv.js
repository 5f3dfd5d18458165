// Comma-separated text as RFC 4180 describes it. Line ends may be LF or CRLF; the first row gives the keys.

export function parseRows(text) {
  const rows = []
  let row = []
  let field = ''
  let isQuoted = false
  let line = 1
  let startLine = 1

  const endField = () => {
    row.push(field)
    field = ''
  }
  const endRow = () => {
    endField()
    const isBlank = row.length === 1 && row[0] === ''
    if (!isBlank) rows.push({ fields: row, line: startLine })
    row = []
    startLine = line
  }

  for (let position = 0; position < text.length; position++) {
    const character = text[position]
    if (isQuoted) {
      if (character === '"') {
        if (text[position + 1] === '"') field += '"'
        else isQuoted = false
      } else {
        field += character
      }
      continue
    }
    if (character === '"') {
      isQuoted = true
    } else if (character === ',') {
      endField()
    } else if (character === '\n') {
      line++
      endRow()
    } else {
      field += character
    }
  }
  if (field !== '' || row.length > 0) endRow()
  return rows
}

export function parseRecords(text) {
  const [header, ...rows] = parseRows(text)
  if (header === undefined) return []
  return rows.map(({ fields, line }) => {
    const record = {}
    header.fields.forEach((key, column) => {
      record[key] = fields[column] ?? ''
    })
    return { record, line, width: fields.length, expectedWidth: header.fields.length }
  })
}

function quoteField(value) {
  const text = String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function formatRows(rows) {
  return rows.map((row) => `${row.map(quoteField).join(',')}\n`).join('')
}
