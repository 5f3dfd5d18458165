/** Linux limits an argument to 131,072 bytes; longer bodies are sent through standard input. */
const MAX_ARGUMENT_BYTES = 100_000

const BYTES_PER_UNIT = 3

/** Writes a curl command for POSIX shells. The body is the request as one line of JSON, the key `$OPENAI_API_KEY`. */
export function writeCurl(request: unknown, url = DEFAULT_ENDPOINT): string {
  const body = JSON.stringify(request)
  const head = [
    `curl ${quoted(url)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    '-H "Authorization: Bearer $OPENAI_API_KEY"',
  ]
  const isShort = body.length * BYTES_PER_UNIT <= MAX_ARGUMENT_BYTES
  if (isShort) return `${[...head, `--data-binary ${quoted(body)}`].join(' \\\n  ')}\n`
  // The body is one line of JSON, so it never equals END_OF_BODY. Some shells expand `!` from the history.
  const lines = [...head, "--data-binary @- <<'END_OF_BODY'"].join(' \\\n  ')
  return `${lines}\n${body.replaceAll('!', '\\u0021')}\nEND_OF_BODY\n`
}

export const DEFAULT_ENDPOINT = 'https://api.openai.com/v1/chat/completions'

/** In single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
