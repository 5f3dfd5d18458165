import type { editor, IMarkdownString, IPosition, languages } from 'monaco-editor/editor'
import { offsetAt } from '@/lib/core/text/line-index'
import { currentReadOf } from '@/lib/state/document/selectors'
import {
  messageContaining,
  type ShownDocument,
  shownDocumentOf,
} from '@/lib/state/document/shown-document'
import { type EditorSession, placeInPane } from './editor-session'
import type { Pane } from './marks'
import { JSON_LANGUAGE, monaco } from './setup'

/** Plain text of a hover: a sentence and a line of facts. */
export type DescribeResult = (
  conversation: number,
  result: number,
) => { readonly sentence: string; readonly facts: string } | undefined

/** Shows the decision for a tool result when hovered in either pane. */
export function registerResultHover(
  session: EditorSession,
  explain: () => DescribeResult,
): () => void {
  const provider: languages.HoverProvider = {
    provideHover: (model, position) => {
      const pane = paneOf(session, model)
      const document = pane && documentIn(session, pane)
      if (pane === undefined || document === undefined) return null
      const place = messageContaining(
        document.read.model.conversations,
        offsetAt(document.index, placeInPane(session, pane, position)),
      )
      if (place?.result === undefined) return null
      const said = explain()(place.conversation, place.result)
      if (said === undefined) return null
      return { contents: [asText(said.sentence, said.facts)], range: wordless(position) }
    },
  }
  const registered = monaco.languages.registerHoverProvider(JSON_LANGUAGE, provider)
  return () => registered.dispose()
}

function paneOf(session: EditorSession, model: editor.ITextModel): Pane | undefined {
  if (session.editors.source?.getModel() === model) return 'source'
  return session.editors.output?.getModel() === model ? 'output' : undefined
}

function documentIn(session: EditorSession, pane: Pane): ShownDocument | undefined {
  if (pane === 'output') return session.shown?.document
  const state = session.playground.store.getState()
  const read = currentReadOf(state)
  return read && shownDocumentOf(read)
}

/** The range is empty because a result is often longer than the screen. */
function wordless({ lineNumber, column }: IPosition) {
  return {
    startLineNumber: lineNumber,
    startColumn: column,
    endLineNumber: lineNumber,
    endColumn: column,
  }
}

/** Escapes all characters with a meaning in Markdown, which the hover renders. */
function asText(sentence: string, facts: string): IMarkdownString {
  const escaped = (part: string) => part.replace(/[\\`*_{}[\]()#+\-.!<>|~&$:/@]/g, '\\$&')
  const end = sentence.indexOf(':') + 1
  const head = end > 0 ? `**${escaped(sentence.slice(0, end))}**` : ''
  const value = `${head}${escaped(sentence.slice(end))}\n\n${escaped(facts)}`
  return { value, isTrusted: false, supportHtml: false, supportThemeIcons: false }
}
