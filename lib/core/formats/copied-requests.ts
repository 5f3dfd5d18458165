import { isJsonText } from '../text/is-json-text'
import { type CopiedRequest, readCurlCommands } from './curl-commands'
import { readFetchCalls } from './fetch-calls'
import { placeOfUrl } from './har-bodies'

/** Requests copied from a network panel as code. */
export interface CopiedRequests {
  readonly kind: 'cURL command' | 'fetch call'
  /** How many of them have a JSON body. */
  readonly count: number
  /** Where the first of these went: `POST api.openai.com/v1/responses`; empty when it does not say. */
  readonly place: string
  /** Their JSON bodies: that of one as it is, of several one a line. Undefined when none has one. */
  readonly text: string | undefined
}

/** Reads a text as requests copied as cURL or as fetch; undefined when it is neither. */
export function copiedRequests(text: string): CopiedRequests | undefined {
  const commands = readCurlCommands(text)
  const calls = commands ?? readFetchCalls(text)
  if (calls === undefined) return undefined
  const sent = calls.filter(({ body }) => body !== undefined && isJsonText(body))
  const bodies = sent.map(({ body }) => body as string)
  const [first] = sent
  return {
    kind: commands === undefined ? 'fetch call' : 'cURL command',
    count: sent.length,
    place: first === undefined ? '' : placeOf(first),
    text: textOf(bodies),
  }
}

function placeOf({ method = '', url }: CopiedRequest): string {
  return url === undefined ? method : `${method} ${placeOfUrl(url)}`.trim()
}

/** Line ends stand between the values of JSON only, never in them. */
function textOf(bodies: readonly string[]): string | undefined {
  const [only, ...others] = bodies
  if (only === undefined) return undefined
  return others.length === 0
    ? only
    : bodies.map((body) => body.replace(/\s*[\r\n]\s*/g, ' ')).join('\n')
}
