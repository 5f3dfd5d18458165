/** Resolves in a task of its own, so that the browser can answer the user and draw before it. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
