/**
 * HAR, what the network panels of browsers save: http://www.softwareishard.com/blog/har-12-spec
 * Each request's body stands as a string in `log.entries[].request.postData.text`. Those that are JSON are read in
 * their place, each as a document of its own. Answers, other bodies and all else of an entry are looked through for
 * strings that equal a result: its twins.
 */
import { isJsonObject } from '../conversation/chat-message'
import { embeddedValue, type SourceDocument, type SourceValue } from './source-document'

export interface HarBodies {
  /** The whole file. */
  readonly source: SourceValue
  /** Requests in the file, with a body or not. */
  readonly requests: number
  readonly bodies: readonly HarBody[]
}

export interface HarBody {
  /** Which request it is, as a panel counts them, and where it went: `request 3, POST api.openai.com/v1/responses`. */
  readonly label: string
  readonly value: SourceValue
  /** The request it was sent with. */
  readonly request: Readonly<Record<string, unknown>>
}

/** The JSON bodies of a HAR file in the order of its requests; undefined when the source is none. */
export function harBodies({ text, layout, values }: SourceDocument): HarBodies | undefined {
  const [source] = values
  if (layout !== 'json' || !isJsonObject(source?.value) || !isJsonObject(source.value.log)) {
    return undefined
  }
  const { entries } = source.value.log
  const isEntry = (entry: unknown) => isJsonObject(entry) && isJsonObject(entry.request)
  if (!Array.isArray(entries) || (entries.length > 0 && !entries.some(isEntry))) return undefined
  const bodies = entries.flatMap((entry: unknown, index): HarBody[] => {
    if (!isJsonObject(entry) || !isJsonObject(entry.request)) return []
    const path = ['log', 'entries', index, 'request', 'postData', 'text']
    const value = embeddedValue(text, source, path)
    if (value === undefined) return []
    const { request } = entry
    return [{ label: labelOf(request, index), value, request }]
  })
  return { source, requests: entries.length, bodies }
}

/** Without scheme and query: keys of accounts stand in queries. */
function labelOf(request: Readonly<Record<string, unknown>>, index: number): string {
  const method = typeof request.method === 'string' ? `${request.method} ` : ''
  const place = typeof request.url === 'string' ? placeOfUrl(request.url) : ''
  const target = `${method}${place}`.trim()
  return target === '' ? `request ${index + 1}` : `request ${index + 1}, ${target}`
}

/** Host and path of an address. */
export function placeOfUrl(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[?#].*$/s, '')
}
