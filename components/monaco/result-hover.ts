'use client'

import type { editor, IMarkdownString, IPosition, languages } from 'monaco-editor/editor'
import { useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import { offsetAt } from '@/lib/core/text/lines'
import { countCodePoints } from '@/lib/core/text/text-pieces'
import { requestOf, shownDecisionsOf } from '@/lib/state/costs/request-view'
import { resultTokensOf } from '@/lib/state/document/message-facts'
import { currentReadOf } from '@/lib/state/document/selectors'
import {
  type MessagePlace,
  messageContaining,
  type ShownDocument,
  shownDocumentOf,
} from '@/lib/state/document/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { usesByPlaceOf } from '@/lib/state/uses/later-uses'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
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
      const place = placeAt(session, model, position)
      if (place?.result === undefined) return null
      const said = explain()(place.conversation, place.result)
      if (said === undefined) return null
      return { contents: [asText(said.sentence, said.facts)], range: wordless(position) }
    },
  }
  const registered = monaco.languages.registerHoverProvider(JSON_LANGUAGE, provider)
  return () => registered.dispose()
}

/**
 * Shows the hover of a result that is clicked or tapped, and adds the command that shows it at the cursor, since a hover
 * needs a pointer.
 */
export function showWhyOnClick(
  session: EditorSession,
  paneEditor: editor.ICodeEditor & Pick<editor.IStandaloneCodeEditor, 'addAction'>,
  label: string,
): () => void {
  let isTouch = false
  const show = (focus: 'noAutoFocus' | 'autoFocusImmediately') => {
    const [model, position] = [paneEditor.getModel(), paneEditor.getPosition()]
    if (model === null || position === null || !paneEditor.getSelection()?.isEmpty()) return
    if (placeAt(session, model, position)?.result === undefined) return
    paneEditor.trigger('click', 'editor.action.showHover', { focus })
  }
  const node = paneEditor.getContainerDomNode()
  const onPointerDown = ({ pointerType }: PointerEvent) => {
    isTouch = pointerType !== 'mouse'
  }
  const isCapture = true
  node.addEventListener('pointerdown', onPointerDown, isCapture)
  const { MouseTargetType } = monaco.editor
  const listening = [
    paneEditor.onMouseUp(({ target: { type }, event }) => {
      const isText = type === MouseTargetType.CONTENT_TEXT || type === MouseTargetType.CONTENT_EMPTY
      // The editor hides its hover in the same event.
      if (isText && event.leftButton) setTimeout(show, 0, 'noAutoFocus')
    }),
    // A tap is no event of a mouse.
    paneEditor.onDidChangeCursorPosition(({ source }) => {
      if (isTouch && source === 'mouse') setTimeout(show, 0, 'noAutoFocus')
    }),
    paneEditor.addAction({
      id: 'show-why',
      label,
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyI],
      contextMenuGroupId: 'navigation',
      run: () => show('autoFocusImmediately'),
    }),
  ]
  return () => {
    node.removeEventListener('pointerdown', onPointerDown, isCapture)
    for (const each of listening) each.dispose()
  }
}

/** The message and the result at a position of an editor. */
function placeAt(
  session: EditorSession,
  model: editor.ITextModel,
  position: IPosition,
): MessagePlace | undefined {
  const pane = paneOf(session, model)
  const document = pane && documentIn(session, pane)
  if (pane === undefined || document === undefined) return undefined
  const offset = offsetAt(document.index, placeInPane(session, pane, position))
  return messageContaining(document.read.model.conversations, offset)
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

/** Registers the hover of results. The state is read when a hover is requested. */
export function useResultHover(session: EditorSession, isWanted: boolean): void {
  const t = useTranslations('panes')
  const uses = useTranslations('uses.places')
  const { number } = useFormatter()
  const sentenceOf = useReasonSentence()
  const { store } = session.playground

  const usedAgain = (state: PlaygroundState, conversation: number, result: number) => {
    if (conversation !== state.conversation) return undefined
    const ofResult = usesByPlaceOf(state)?.ofResult.get(result) ?? []
    const shown = ofResult.find(({ isLost }) => isLost) ?? ofResult.at(-1)
    if (shown === undefined) return undefined
    const { term, turn, distance } = shown.use
    return uses(shown.isLost ? 'hoverLost' : 'hover', { term, turn: turn + distance + 1 })
  }

  const describe: DescribeResult = (conversation, result) => {
    const state = store.getState()
    const shown = state.read?.model.conversations[conversation]
    const facts = shown?.results[result]
    const decision = shownDecisionsOf(state)?.[conversation]?.[result]
    const turnCount =
      (conversation === state.conversation ? requestOf(state)?.turnCount : undefined) ??
      shown?.turnCount
    if (
      shown === undefined ||
      turnCount === undefined ||
      facts === undefined ||
      decision === undefined
    )
      return undefined
    const tokens = resultTokensOf(state, conversation, result)
    const say = (count: number | undefined) =>
      count === undefined || tokens?.isEstimated ? t('unknown') : number(count)
    const chars = facts.chars
    const { placeholder } = decision
    const size =
      placeholder === undefined
        ? t('hoverSize', { chars: number(chars), count: chars, tokens: say(tokens?.before) })
        : t('hoverSizeMasked', {
            chars: number(chars),
            charsAfter: number(countCodePoints(placeholder)),
            tokens: say(tokens?.before),
            tokensAfter: say(tokens?.after),
          })
    const parts = [
      shownTool(facts) ?? t('unknownTool'),
      facts.turn === undefined ? undefined : t('hoverTurn', { turn: facts.turn + 1 }),
      size,
      usedAgain(state, conversation, result),
    ]
    return {
      sentence: sentenceOf(decision, facts, state.policy, turnCount),
      facts: parts.filter((part) => part !== undefined).join(' · '),
    }
  }

  const latest = useRef(describe)
  latest.current = describe
  useEffect(() => {
    if (isWanted) return registerResultHover(session, () => latest.current)
  }, [session, isWanted])
}
