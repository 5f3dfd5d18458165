import type { editor } from 'monaco-editor/editor'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { positionAt, type TextPosition } from '@/lib/core/text/lines'
import { isWritten, sentRequestOf } from '@/lib/state/costs/tried-mechanism'
import { conversationOf } from '@/lib/state/document/selectors'
import { changedSpans, stepChange } from '@/lib/state/document/shown-document'
import { useDeferredState, usePlayground, useShown, useView } from '../playground-context'
import { type EditorSession, editorSessionOf, endAll } from './editor-session'
import { showWhyOnClick } from './result-hover'
import { fontFamily, monaco, READ_ONLY, SHARED_OPTIONS } from './setup'

const IMMEDIATE = 1

export type StepChange = (isBack: boolean) => void

/** The change at the cursor, counted from 0, of those that these decisions make. */
export interface ShownChange {
  readonly at: number | undefined
  readonly decisions: unknown
}

/** Goes from change to change in the comparison, by buttons, keys and the editor's menu. */
function createChangeSteps(
  session: EditorSession,
  diff: editor.IStandaloneDiffEditor,
  onPlace: (place: ShownChange) => void,
  labels: { readonly next: string; readonly previous: string },
) {
  const [source, output] = [diff.getOriginalEditor(), diff.getModifiedEditor()]
  let opening: monaco.IDisposable | undefined

  const changes = () => {
    const { document, decisions } = session.shown ?? {}
    if (document === undefined || decisions === undefined) return { spans: [], changed: [] }
    return { spans: document.spans, changed: changedSpans(document.spans, decisions) }
  }

  const goTo = (from: TextPosition, isBack: boolean) => {
    const { spans, changed } = changes()
    const at = stepChange(spans, changed, from, isBack)
    const span = spans[changed[at ?? 0] ?? 0]
    onPlace({ at, decisions: session.shown?.decisions })
    if (at === undefined || span === undefined) return
    source.setPosition(session.positionInPane('source', span))
    const position = session.positionInPane('output', span)
    output.setPosition(position)
    output.revealPositionInCenter(position, IMMEDIATE)
  }

  const step: StepChange = (isBack) => {
    if (session.shown === undefined) return diff.goToDiff(isBack ? 'previous' : 'next')
    const isInSource = source.hasTextFocus()
    const position = (isInSource ? source : output).getPosition() ?? START
    goTo(session.sourcePosition(isInSource ? 'source' : 'output', position), isBack)
  }

  /** Goes to the first change, or that of the selected message, once the texts are compared and equal parts are folded. */
  const open = () => {
    opening?.dispose()
    opening = diff.onDidUpdateDiff(() => {
      opening?.dispose()
      if (session.shown === undefined) diff.revealFirstDiff()
      else goTo(placeBeforeSelection(session), false)
    })
  }

  const { KeyN, KeyP } = monaco.KeyCode
  const commands = [
    { id: 'next-change', label: labels.next, keybindings: [KeyN], run: () => step(false) },
    { id: 'previous-change', label: labels.previous, keybindings: [KeyP], run: () => step(true) },
  ]
  const shared = { keybindingContext: 'editorTextFocus', contextMenuGroupId: 'navigation' }
  const end = endAll(
    () => opening?.dispose(),
    diff.onDidUpdateDiff(() => onPlace({ at: undefined, decisions: undefined })),
    ...[source, output].flatMap((side) =>
      commands.map((command, order) =>
        side.addAction({ ...shared, ...command, contextMenuOrder: order }),
      ),
    ),
  )
  return { step, open, end }
}

const START = { lineNumber: 1, column: 1 }

/** A position of the source before the selected message, or before the text. */
function placeBeforeSelection({ playground, shown }: EditorSession): TextPosition {
  const state = playground.store.getState()
  const { selection } = state
  const message = selection && conversationOf(state)?.messages[selection.message]
  if (message === undefined || shown === undefined) return { line: 0, column: 0 }
  const { line, column } = positionAt(shown.document.index, message.start)
  return { line, column: column - 1 }
}

/** By then the other text is set too, unless it is still being read. */
const MILLISECONDS_PAUSED = 200

export interface DiffPaneProps {
  /** Equal parts are folded. */
  readonly isChangesOnly: boolean
  /** Set to the function that goes to the next or the previous change. */
  readonly step: RefObject<StepChange | undefined>
  readonly onPlace: (place: ShownChange) => void
}

/** Compares the two texts. It uses the models of the panes, so it is live and needs no second copy. */
export function DiffPane({ isChangesOnly, step, onPlace }: DiffPaneProps) {
  const { t } = useView('panes')
  const session = editorSessionOf(usePlayground())
  const texts = useTexts(session)
  const container = useRef<HTMLDivElement>(null)
  const [isCompared, setCompared] = useState(false)
  const label = t('diffLabel')
  const [nextLabel, previousLabel] = [t('changes.next'), t('changes.previous')]
  const whyLabel = t('showWhy')
  useEffect(() => {
    const place = container.current
    if (place === null || texts === undefined) return
    const { node, diff } = diffEditor(place)
    place.append(node)
    const steps = createChangeSteps(session, diff, onPlace, {
      next: nextLabel,
      previous: previousLabel,
    })
    step.current = steps.step
    const sides = [diff.getOriginalEditor(), diff.getModifiedEditor()]
    let viewModel: editor.IDiffEditorViewModel | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const compare = () => {
      viewModel = diff.createViewModel(texts)
      diff.setModel(viewModel)
      steps.open()
    }
    // The view model must be disposed here: one that the editor creates is never disposed and keeps comparing.
    const end = () => {
      clearTimeout(timer)
      diff.setModel(null)
      viewModel?.dispose()
      viewModel = undefined
    }
    session.pauseComparison = () => {
      end()
      setCompared(false)
      timer = setTimeout(compare, MILLISECONDS_PAUSED)
    }
    compare()
    return endAll(
      diff.onDidUpdateDiff(() => setCompared(true)),
      ...sides.map((side) => keepOptions(side, label)),
      ...sides.map((side) => showWhyOnClick(session, side, whyLabel)),
      () => {
        session.pauseComparison = undefined
        step.current = undefined
      },
      steps.end,
      end,
      () => node.remove(),
    )
  }, [session, texts, label, nextLabel, previousLabel, whyLabel, step, onPlace])
  useEffect(() => {
    if (shared === undefined || texts === undefined) return
    const { diff } = shared
    diff.updateOptions({ hideUnchangedRegions: { ...FOLDING, enabled: isChangesOnly } })
    const frame = requestAnimationFrame(() => {
      const modified = diff.getModifiedEditor()
      const position = modified.getPosition()
      if (position !== null) modified.revealPositionInCenterIfOutsideViewport(position)
    })
    return () => cancelAnimationFrame(frame)
  }, [texts, isChangesOnly])
  // Until they are compared, the two texts would look equal.
  return (
    // Its editors are up to a pixel wider than their place.
    <div className="relative size-full overflow-hidden" aria-busy={!isCompared}>
      <div ref={container} className={`size-full ${isCompared ? '' : 'invisible opacity-0'}`} />
      {!isCompared && <p className="absolute inset-x-0 top-3 px-4 text-faint">{t('comparing')}</p>}
    </div>
  )
}

/** A request without the mechanism that writes it anew. */
let withoutMechanism: editor.ITextModel | undefined

/**
 * The texts of both panes, once their editors have them, which can be after the comparison is wanted. A request that is
 * written anew is compared with the same one without the mechanism.
 */
function useTexts(session: EditorSession): editor.IDiffEditorModel | undefined {
  const [texts, setTexts] = useState<editor.IDiffEditorModel>()
  const { shown: sent } = useShown(sentRequestOf)
  const before = useDeferredState(isWritten) ? sent?.before : undefined
  const isSent = before !== undefined
  useEffect(() => {
    const check = () => {
      const { source, output } = session.editors
      const [original, modified] = [source?.getModel(), output?.getModel()]
      if (original && modified) setTexts((known) => known ?? { original, modified })
    }
    session.onEditor = check
    check()
    return () => {
      session.onEditor = undefined
    }
  }, [session])
  const compared = useMemo(() => {
    if (texts === undefined || !isSent) return texts
    withoutMechanism ??= monaco.editor.createModel('', 'json')
    return { original: withoutMechanism, modified: texts.modified }
  }, [texts, isSent])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is made with what is compared
  useEffect(() => withoutMechanism?.setValue(before ?? ''), [before, compared])
  return compared
}

const FOLDING = { enabled: true, contextLineCount: 3, minimumLineCount: 4 }

let shared: { readonly node: HTMLElement; readonly diff: editor.IStandaloneDiffEditor } | undefined

/**
 * Returns the one diff editor. It is never disposed: the editor created last provides the tooltips of all others, for
 * example those of the find widget, and throws once it is disposed.
 */
function diffEditor(place: HTMLElement) {
  if (shared === undefined) {
    const node = document.createElement('div')
    node.className = 'size-full'
    // Created without a width, it would never wrap the left text, whose lines then stand beside others.
    place.append(node)
    const diff = monaco.editor.createDiffEditor(node, optionsOf())
    shared = { node, diff }
    // Unfolded lines can wrap differently on each side; the editor has aligned the sides without them.
    for (const side of [diff.getOriginalEditor(), diff.getModifiedEditor()])
      side.onDidChangeHiddenAreas(() => setTimeout(alignAgain, 0, side))
  }
  return shared
}

/** Any change of a zone makes the editor align both sides. */
function alignAgain(side: editor.ICodeEditor): void {
  side.changeViewZones((zones) => {
    const domNode = document.createElement('div')
    zones.removeZone(zones.addZone({ afterLineNumber: 0, heightInPx: 1, domNode }))
  })
}

/**
 * Names a side, again whenever its width or its options change: then the editor drops the name. It also leaves the left text
 * without wrapping once it was narrow or hidden.
 */
function keepOptions(side: editor.ICodeEditor, ariaLabel: string) {
  const { EditorOption } = monaco.editor
  const keep = () => {
    if (side.getOption(EditorOption.ariaLabel) !== ariaLabel) side.updateOptions({ ariaLabel })
    const [own, left] = [EditorOption.wordWrapOverride1, EditorOption.wordWrapOverride2] as const
    if (side.getOption(own) !== 'off' && side.getOption(left) === 'off')
      side.updateOptions({ wordWrapOverride2: 'inherit' })
  }
  keep()
  return side.onDidChangeConfiguration(keep)
}

function optionsOf(): editor.IStandaloneDiffEditorConstructionOptions {
  return {
    ...(SHARED_OPTIONS as editor.IDiffEditorConstructionOptions),
    fontFamily: fontFamily(),
    ...READ_ONLY,
    renderSideBySideInlineBreakpoint: 700,
    hideUnchangedRegions: FOLDING,
    maxComputationTime: 3000,
    renderMarginRevertIcon: false,
    renderOverviewRuler: false,
    renderIndicators: false,
    ignoreTrimWhitespace: false,
  }
}
