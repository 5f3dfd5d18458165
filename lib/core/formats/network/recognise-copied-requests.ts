import { isJsonText } from '../../text/json'
import { nonBlankLines } from '../../text/lines'
import { areMostlyJson } from '../reading/open-source'
import { readCurlCommands, readFetchCalls, requestTarget } from './copied-commands'
import { readEventStreams } from './event-streams'

/** Requests copied from a network panel as code, or answers captured as they were streamed. */
export type CopiedRequests = NonNullable<ReturnType<typeof recogniseCopiedRequests>>

/**
 * Recognises a text as cURL commands, fetch calls or streamed answers, before it is read; undefined for every other text.
 * They are not read in place, because shells escape strings differently from JSON, and a stream has them in pieces: `body`
 * is to be read instead of the text.
 */
export function recogniseCopiedRequests(text: string) {
  const streams = readEventStreams(text)
  if (streams !== undefined) return { kind: 'streamed_answer' as const, ...streams }
  const commands = readCurlCommands(text)
  const requests = commands ?? readFetchCalls(text)
  // A command pasted together with its answer in JSON Lines is read as the answer.
  if (requests === undefined || areMostlyJson(nonBlankLines(text), text)) return undefined
  const sent = requests.filter(({ body }) => body !== undefined && isJsonText(body))
  const bodies = sent.map(({ body }) => body as string)
  return {
    kind: commands === undefined ? ('fetch_call' as const) : ('curl_command' as const),
    /** Number of requests that have a JSON body, or of answers. */
    count: sent.length,
    /** Method, host and path of the first of them: `POST api.openai.com/v1/responses`; empty when unknown. */
    place: requestTarget(sent[0]?.method, sent[0]?.url),
    /** Their JSON bodies: a single one as written, several as JSON Lines. Undefined when there is none. */
    body: joinBodies(bodies),
    hasRequests: true,
    problems: [] as const,
  }
}

/** Strings in JSON contain no line ends, so each body can be put on one line. */
function joinBodies(bodies: readonly string[]): string | undefined {
  return bodies.length < 2
    ? bodies[0]
    : bodies.map((body) => body.replace(/\s*[\r\n]\s*/g, ' ')).join('\n')
}
