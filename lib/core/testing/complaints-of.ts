import { readDocument } from '../formats/read-document'
import { describeProblem, type Problem, ReadError } from '../problem'

/** What is said about a text that is broken in places: each sentence, and the text from the place it is about. */
export function complaintsOf(text: string): {
  format: string
  said: (readonly [string, string])[]
} {
  const say = (problem: Problem) =>
    [
      describeProblem(problem),
      problem.offset === undefined ? 'nowhere' : text.slice(problem.offset, problem.offset + 24),
    ] as const
  try {
    const { format, problems } = readDocument(text)
    return { format: format.id, said: problems.map(say) }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    return { format: 'unread', said: [say(error.problem)] }
  }
}
