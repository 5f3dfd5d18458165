import type { editor } from 'monaco-editor/editor'
import { describeProblem, type Problem } from '@/lib/core/problem'
import { lineIndexOf } from '@/lib/state/line-index-of'
import type { PlaygroundState } from '@/lib/state/store'
import { monaco } from './setup'
import { positionOf } from './text-places'

const OWNER = 'reading'

const shown = new WeakMap<editor.ITextModel, readonly Problem[]>()
const NONE: readonly Problem[] = []

/** Underlines what the reading found wrong; where the JSON worker checks too, it does so itself. */
export function showProblems(
  model: editor.ITextModel,
  { source, read, reading }: PlaygroundState,
  isNeeded: boolean,
): void {
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
        message: describeProblem(problem),
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
    return read?.source.id === source.id ? read.model.problems : undefined
  }
}
