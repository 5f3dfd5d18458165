/** The longest argument Linux takes is 131,072 bytes; what is longer goes through standard input. */
const MOST_BYTES_OF_ARGUMENT = 100_000

const BYTES_PER_UNIT = 3

/**
 * A command for POSIX shells that sends a request; the key comes from the shell's own `$OPENAI_API_KEY`. Its body is
 * the request as JSON on one line, byte for byte, whatever the texts in it.
 */
export function writeCurl(request: unknown, url = DEFAULT_ENDPOINT): string {
  const body = JSON.stringify(request)
  const head = [
    `curl ${quoted(url)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    '-H "Authorization: Bearer $OPENAI_API_KEY"',
  ]
  const isShort = body.length * BYTES_PER_UNIT <= MOST_BYTES_OF_ARGUMENT
  if (isShort) return `${[...head, `--data-binary ${quoted(body)}`].join(' \\\n  ')}\n`
  // No line of JSON on one line is the word that ends it. A shell in use may read `!` there as a command of its history.
  const lines = [...head, "--data-binary @- <<'END_OF_BODY'"].join(' \\\n  ')
  return `${lines}\n${body.replaceAll('!', '\\u0021')}\nEND_OF_BODY\n`
}

export const DEFAULT_ENDPOINT = 'https://api.openai.com/v1/chat/completions'

/** In single quotes nothing is special but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
