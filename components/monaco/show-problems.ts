import type { editor } from 'monaco-editor/editor'
import type { Problem } from '@/lib/core/problem'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import { currentReadOf } from '@/lib/state/document/selectors'
import type { PlaygroundState } from '@/lib/state/store'
import { positionOf } from './editor-positions'
import { monaco } from './setup'

const OWNER = 'reading'

const shown = new WeakMap<editor.ITextModel, readonly Problem[]>()
const NONE: readonly Problem[] = []

/** Makes the next call describe the problems again, as after a change of the language. */
export function forgetProblems(model: editor.ITextModel): void {
  shown.delete(model)
}

/** Underlines the reader's problems, unless the JSON worker already reports them. */
export function showProblems(
  model: editor.ITextModel,
  state: PlaygroundState,
  isNeeded: boolean,
  sentenceOf: (problem: Problem) => string,
): void {
  const { source, reading } = state
  const problems = isNeeded ? problemsOf() : NONE
  if (problems === undefined || (shown.get(model) ?? NONE) === problems) return
  shown.set(model, problems)
  const index = lineIndexOf(source.text)
  const markers = problems.flatMap((problem) => {
    if (problem.offset === undefined) return []
    const { lineNumber, column } = positionOf(source.text, index, problem.offset)
    return [
      {
        severity: monaco.MarkerSeverity.Warning,
        message: sentenceOf(problem),
        startLineNumber: lineNumber,
        startColumn: column,
        endLineNumber: lineNumber,
        endColumn: Math.min(column + 1, model.getLineMaxColumn(lineNumber)),
      },
    ]
  })
  monaco.editor.setModelMarkers(model, OWNER, markers)

  function problemsOf(): readonly Problem[] | undefined {
    if (source.text === '') return NONE
    if (reading.state === 'failed') return [reading.problem]
    return currentReadOf(state)?.model.problems
  }
}
