/** Steps from the root of a JSON document to a value: keys of objects, indices of arrays. */
export type JsonPath = readonly (string | number)[]

/** Writes a path as RFC 6901 has it: `/messages/4/content`; the root is the empty string. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Writes a path as code would: `messages[4].content`; keys that are no identifiers are quoted. */
export function readablePath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text === '' ? 'the document' : text
}
