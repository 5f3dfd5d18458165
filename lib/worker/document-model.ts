import { FORMATS, type ReadDocument } from '@/lib/core/formats/read-document'
import { checkHistory } from '@/lib/core/integrity/check-history'
import { hasMoreLines } from '@/lib/core/text/lines'
import type { TextSlices } from '@/lib/core/text/span'
import { withoutTexts } from '@/lib/core/tokens/count-conversation'
import type { DocumentModel } from './jobs'

/** What the page gets of a document that was read. */
export function modelOf(document: ReadDocument<TextSlices>): DocumentModel {
  const { source, format, evidence, candidates, conversations, problems } = document
  const messages = conversations.reduce((sum, { messages }) => sum + messages.length, 0)
  return {
    format: format.id,
    formatLabel: format.label,
    evidence,
    formats: FORMATS.map(({ id, label, expects }) => {
      return { id, label, expects, isRecognised: candidates.includes(id) }
    }),
    layout: source.layout,
    isOnFewLines: source.layout === 'json' && !hasMoreLines(source.text, messages),
    conversations: conversations.map(withoutTexts),
    findings: conversations.map(checkHistory),
    problems,
  }
}
