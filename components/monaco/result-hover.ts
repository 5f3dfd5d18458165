import type { editor, IMarkdownString, IPosition } from 'monaco-editor/editor'
import { useEffect, useEffectEvent } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import { offsetAt } from '@/lib/core/text/lines'
import { countCodePoints } from '@/lib/core/text/span'
import { requestOf, shownDecisionsOf } from '@/lib/state/costs/request-view'
import { resultTokensOf } from '@/lib/state/document/message-facts'
import { messageContaining } from '@/lib/state/document/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { groupedUsesOf } from '@/lib/state/uses/later-uses'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import { type EditorSession, endAll, onCaptured } from './editor-session'
import { JSON_LANGUAGE, monaco } from './setup'

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
  const { MouseTargetType } = monaco.editor
  return endAll(
    onCaptured(paneEditor, 'pointerdown', ({ pointerType }) => {
      isTouch = pointerType !== 'mouse'
    }),
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
  )
}

/** The message and the result at a position of an editor. */
function placeAt(session: EditorSession, model: editor.ITextModel, position: IPosition) {
  const pane = (['source', 'output'] as const).find(
    (one) => session.editors[one]?.getModel() === model,
  )
  const document = pane && session.documentIn(pane)
  if (pane === undefined || document === undefined) return undefined
  const offset = offsetAt(document.index, session.sourcePosition(pane, position))
  return messageContaining(document.read.model.conversations, offset)
}

/** Escapes all characters with a meaning in Markdown, which the hover renders. */
function asText(sentence: string, facts: string): IMarkdownString {
  const escaped = (part: string) => part.replace(/[\\`*_{}[\]()#+\-.!<>|~&$:/@]/g, '\\$&')
  const end = sentence.indexOf(':') + 1
  const head = end > 0 ? `**${escaped(sentence.slice(0, end))}**` : ''
  const value = `${head}${escaped(sentence.slice(end))}\n\n${escaped(facts)}`
  return { value, isTrusted: false, supportHtml: false, supportThemeIcons: false }
}

/** Shows the decision for a tool result when hovered in either pane. The state is read when a hover is requested. */
export function useResultHover(session: EditorSession, isWanted: boolean): void {
  const t = useTranslations('panes')
  const uses = useTranslations('uses.places')
  const { number } = useFormatter()
  const sentenceOf = useReasonSentence()
  const { store } = session.playground

  const usedAgain = (state: PlaygroundState, conversation: number, result: number) => {
    if (conversation !== state.conversation) return undefined
    const ofResult = groupedUsesOf(state)?.ofResult.get(result) ?? []
    const shown = ofResult.find(({ isLost }) => isLost) ?? ofResult.at(-1)
    if (shown === undefined) return undefined
    const { term, turn, distance } = shown.use
    return uses(shown.isLost ? 'hoverLost' : 'hover', { term, turn: turn + distance + 1 })
  }

  /** A sentence and a line of facts, in plain text. */
  const explain = (conversation: number, result: number) => {
    const state = store.getState()
    const shown = state.read?.model.conversations[conversation]
    const facts = shown?.results[result]
    const decision = shownDecisionsOf(state)?.[conversation]?.[result]
    const sent = conversation === state.conversation ? requestOf(state)?.turnCount : undefined
    if (shown === undefined || facts === undefined || decision === undefined) return undefined
    const tokens = resultTokensOf(state, conversation, result)
    const say = (count: number | undefined) =>
      count === undefined || tokens?.isEstimated ? t('unknown') : number(count)
    const { chars } = facts
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
      facts.turn !== undefined && t('hoverTurn', { turn: facts.turn + 1 }),
      size,
      usedAgain(state, conversation, result),
    ]
    const sentence = sentenceOf(decision, facts, state.policy, sent ?? shown.turnCount)
    return asText(sentence, parts.filter(Boolean).join(' · '))
  }

  const provideHover = useEffectEvent((model: editor.ITextModel, position: IPosition) => {
    const place = placeAt(session, model, position)
    const said = place?.result !== undefined && explain(place.conversation, place.result)
    // The range is empty because a result is often longer than the screen.
    return said ? { contents: [said], range: monaco.Range.fromPositions(position) } : null
  })
  useEffect(() => {
    if (!isWanted) return
    const registered = monaco.languages.registerHoverProvider(JSON_LANGUAGE, {
      provideHover: (model, position) => provideHover(model, position),
    })
    return () => registered.dispose()
  }, [isWanted])
}
