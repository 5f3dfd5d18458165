/** What the proxy beside an agent tells the page of the sessions that it sees, and of its policy. */
export interface WatchedSession {
  readonly id: string
  /** Of its text so far; the last line may be one that is being written. */
  readonly bytes: number
  /** Undefined for a file that another program writes. */
  readonly requests: number | undefined
  /** When its last request was answered, or written, in milliseconds since 1970. */
  readonly at: number
  /** Results that its last request was sent with masked; undefined before the first one under the policy in use. */
  readonly masked: number | undefined
  /** The start of its first question, or the name of its file. */
  readonly opening: string
}

export interface WatchState {
  readonly sessions: readonly WatchedSession[]
  /** When the first request was sent that has no answer yet, in milliseconds since 1970; null without one. */
  readonly waiting: number | null
  /** The last request, if it failed: its status, and when that was. */
  readonly failed: { readonly status: number; readonly at: number } | null
  readonly policy: {
    /** The one in use. */
    readonly toml: string
    /** True if the page can restore the file as it was before it. */
    readonly canTakeBack: boolean
    /** Why the file as it is now is not used; null if it is. */
    readonly problem: string | null
  }
}
