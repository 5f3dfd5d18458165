import { readDocument } from '../formats/read-document'
import { type Problem, ReadError } from '../problem'
import { describeProblem } from '../words/english'

/** Returns the format a text is read as, and each problem as its sentence and the text at its offset. */
export function problemsOf(text: string) {
  const locate = (problem: Problem) =>
    [
      describeProblem(problem),
      problem.offset === undefined ? 'nowhere' : text.slice(problem.offset, problem.offset + 24),
    ] as const
  try {
    const { format, problems } = readDocument(text)
    return { format: format.id, problems: problems.map(locate) }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    return { format: 'unread', problems: [locate(error.problem)] }
  }
}
