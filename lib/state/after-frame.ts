/** Frames stop in a hidden tab. */
const MOST_MILLISECONDS = 100

/** Calls a function once the next frame is drawn; returns a function that cancels the call. */
export function afterFrame(run: () => void): () => void {
  let timer = setTimeout(run, MOST_MILLISECONDS)
  if (typeof requestAnimationFrame === 'undefined') return () => clearTimeout(timer)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(run, 0)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
