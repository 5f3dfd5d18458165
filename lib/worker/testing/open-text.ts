import type { Jobs, Part, Question, RunJob } from '../jobs'

/** The input of a job that opens a text. */
export function openInput(
  document: number,
  text: string,
  shown = 0,
  questions: readonly Question[] = [],
): Jobs['open']['input'] {
  return { document, text, wanted: { shown, questions } }
}

/** Opens a text; `until` gives the first part of a name once it is there. */
export function openText(run: RunJob, input: Jobs['open']['input'], onProgress = () => {}) {
  const parts: Part[] = []
  const waiting = new Set<() => void>()
  const onPart = (part: Part) => {
    parts.push(part)
    for (const look of waiting) look()
  }
  const outcome = run('open', input, { onPart, onProgress })
  const until = <Name extends Part['name']>(name: Name) =>
    new Promise<Extract<Part, { readonly name: Name }>['output']>((resolve) => {
      const look = () => {
        const part = parts.find((one) => one.name === name)
        if (part === undefined) return
        waiting.delete(look)
        resolve(part.output as never)
      }
      waiting.add(look)
      look()
    })
  return { parts, outcome, until }
}
