import { ReadError } from '../problem'
import { type CopiedRequests, copiedRequests } from './copied-requests'
import { type ReadDocument, type ReadOptions, readDocument } from './read-document'

export interface TakenBody extends CopiedRequests {
  readonly text: string
}

export interface ReadOrTaken {
  readonly document: ReadDocument
  /** What the document is the body of, where the text was requests copied as code. */
  readonly taken: TakenBody | undefined
}

/** Reads a text as `readDocument` does; requests copied as cURL or fetch are read as their JSON bodies. */
export function readOrTakeBody(text: string, options: ReadOptions = {}): ReadOrTaken {
  try {
    return { document: readDocument(text, options), taken: undefined }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    const taken = takeBody(text, error.problem)
    if (taken === undefined) throw error
    return { document: readDocument(taken.text, options), taken }
  }
}

/** The JSON bodies of a text that was found to be requests copied as code; undefined when that was not the problem. */
export function takeBody(
  text: string,
  { code }: Pick<ReadError['problem'], 'code'>,
): TakenBody | undefined {
  if (code !== 'copied_request') return undefined
  const requests = copiedRequests(text)
  return requests?.text === undefined ? undefined : { ...requests, text: requests.text }
}
