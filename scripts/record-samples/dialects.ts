import type { Outcome } from './tools'

/** The content of a tool message, in the shape one kind of client sends it. */
export type Content = string | readonly TextPart[]

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export type Dialect = (outcome: Outcome) => Content

/** Plain output; a failure is a line at its start or end. */
export const plainDialect: Dialect = (outcome) => {
  switch (outcome.kind) {
    case 'text':
      return outcome.text
    case 'failure':
      return `Error: ${outcome.message}`
    case 'command': {
      const { exitCode, stdout, stderr, hasTimedOut } = outcome.output
      const text = [stdout, stderr].filter((part) => part !== '').join('\n')
      if (hasTimedOut) {
        return `${text}\nError: timeout, the command was killed after ${outcome.timeoutSeconds} s`.trim()
      }
      if (exitCode !== 0) return `${text.trimEnd()}\n[exit code ${exitCode}]`.trim()
      return text === '' ? '[no output]' : text.trimEnd()
    }
  }
}

/** One JSON object, as tool servers often answer. */
export const jsonDialect: Dialect = (outcome) => {
  switch (outcome.kind) {
    case 'text':
      return JSON.stringify({ status: 'ok', text: outcome.text })
    case 'failure':
      return JSON.stringify({ status: 'error', error: outcome.message })
    case 'command': {
      const { exitCode, stdout, stderr, hasTimedOut } = outcome.output
      return JSON.stringify({
        exit_code: exitCode,
        stdout,
        stderr,
        ...(hasTimedOut ? { error: `timeout after ${outcome.timeoutSeconds} s` } : {}),
      })
    }
  }
}

/** A list of text parts: a status in `<system>` where there is one, then the output. */
export const partsDialect: Dialect = (outcome) => {
  const part = (text: string): TextPart => ({ type: 'text', text })
  switch (outcome.kind) {
    case 'text':
      return [part(outcome.text)]
    case 'failure':
      return [part(`<system>ERROR: ${outcome.message}</system>`)]
    case 'command': {
      const { exitCode, stdout, stderr, hasTimedOut } = outcome.output
      const text = `${stdout}${stderr}`.trimEnd()
      const status = hasTimedOut
        ? `ERROR: timeout, killed after ${outcome.timeoutSeconds} s.`
        : exitCode === 0
          ? 'Command succeeded.'
          : `ERROR: command failed with exit code ${exitCode}.`
      return [part(`<system>${status}</system>`), ...(text === '' ? [] : [part(text)])]
    }
  }
}
