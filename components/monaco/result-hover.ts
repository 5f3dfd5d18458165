import type { editor, IMarkdownString, IPosition, languages } from 'monaco-editor/editor'
import { offsetAt } from '@/lib/core/text/line-index'
import { isCurrent } from '@/lib/state/selectors'
import { messageAt, type ShownDocument, showDocument } from '@/lib/state/shown-document'
import type { Pane } from './marks'
import { type EditorSession, placeInPane } from './session'
import { JSON_LANGUAGE, monaco } from './setup'

/** What is said of a result, as plain text: a sentence, then its facts on a line. */
export type DescribeResult = (
  conversation: number,
  result: number,
) => { readonly sentence: string; readonly facts: string } | undefined

/** Says over a tool result, in either pane, what was decided for it. */
export function registerResultHover(
  session: EditorSession,
  explain: () => DescribeResult,
): () => void {
  const provider: languages.HoverProvider = {
    provideHover: (model, position) => {
      const pane = paneOf(session, model)
      const document = pane && documentIn(session, pane)
      if (pane === undefined || document === undefined) return null
      const place = messageAt(
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
  return state.read !== undefined && isCurrent(state) ? showDocument(state.read) : undefined
}

/** Nothing of the text is lit up: a result is often longer than the screen. */
function wordless({ lineNumber, column }: IPosition) {
  return {
    startLineNumber: lineNumber,
    startColumn: column,
    endLineNumber: lineNumber,
    endColumn: column,
  }
}

/** The editor shows Markdown: every character that could mean something there is escaped. */
function asText(sentence: string, facts: string): IMarkdownString {
  const escaped = (part: string) => part.replace(/[\\`*_{}[\]()#+\-.!<>|~&$:/@]/g, '\\$&')
  const end = sentence.indexOf(':') + 1
  const head = end > 0 ? `**${escaped(sentence.slice(0, end))}**` : ''
  const value = `${head}${escaped(sentence.slice(end))}\n\n${escaped(facts)}`
  return { value, isTrusted: false, supportHtml: false, supportThemeIcons: false }
}
