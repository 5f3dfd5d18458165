/** A command used wrongly, or an input that cannot be used; `message` is the sentence shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
