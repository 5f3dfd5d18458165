/**
 * Finds what each request shares with the earlier ones of its session, for the rules of `prompt-cache`.
 * A request is known by the values of its results (0 unmasked, else a placeholder's number) and by its end.
 */

import type { PreparedReplay } from './prepare-replay'
import { answerEnd, type Session } from './sessions'
import type { MaskedState } from './walk-masked-requests'

export interface SharedPrefix {
  /** Messages in common with the request before; undefined for the first request. */
  readonly withPrevious: number | undefined
  /** Most messages in common with any earlier request; 0 if there is none. */
  readonly longest: number
  /** The latest earlier request that this one starts with, end included; undefined if there is none. */
  readonly wholeRequest: number | undefined
  /** Messages of the longest unit of the rule `units` that this one starts with; 0 if there is none. */
  readonly unit: number
}

/**
 * Returns a function that takes the requests in order, each with its state after masking. A request that starts cold
 * finds nothing, and later ones find nothing before it.
 */
export function trackSharedPrefixes(
  prepared: PreparedReplay,
  startsCold: (request: number) => boolean = () => false,
): (request: number, state: MaskedState) => SharedPrefix {
  const { session } = prepared
  const ends = session.requests.map(({ end }) => end)
  const messageOf = session.conversation.results.map(({ message }) => message)
  const unitEnds = unitEndsOf(session)
  const find = prepared.hasFixedDecisions
    ? fixedPrefixes(ends, unitEnds)
    : changingPrefixes(prepared, ends, unitEnds)
  let sentBefore = 0
  return (request, state) => {
    let firstChanged = Number.POSITIVE_INFINITY
    for (const result of state.changed) {
      if (result < sentBefore && result < firstChanged) firstChanged = result
    }
    sentBefore = state.sentResults
    const isFirst = request === 0
    const messages =
      firstChanged === Number.POSITIVE_INFINITY
        ? (ends[request - 1] ?? 0)
        : (messageOf[firstChanged] as number)
    if (startsCold(request)) find.forget()
    const found = find.next(request, messages, state)
    return { withPrevious: isFirst ? undefined : messages, ...found }
  }
}

interface FindPrefixes {
  readonly next: (
    request: number,
    withPrevious: number,
    state: MaskedState,
  ) => Pick<SharedPrefix, 'longest' | 'wholeRequest' | 'unit'>
  /** Forgets all requests so far. */
  readonly forget: () => void
}

/** By request: the messages of the longest unit that it leaves, which ends with its answer if it has one. */
export function unitEndsOf(session: Pick<Session, 'conversation' | 'requests'>): number[] {
  return session.requests.map((_, request) => answerEnd(session, request))
}

/**
 * For sessions in which a masked result stays masked. The previous request then shares most. A request that differs
 * before its end differs from all later ones too, so the requests that are still unchanged form a stack.
 */
function fixedPrefixes(ends: readonly number[], unitEnds: readonly number[]): FindPrefixes {
  const unchanged: number[] = []
  const units: number[] = []
  return {
    next: (request, withPrevious) => {
      const isChanged = withPrevious !== ends[request - 1]
      if (isChanged) {
        while (unchanged.length > 0 && (ends[unchanged.at(-1) as number] as number) > withPrevious)
          unchanged.pop()
        while (units.length > 0 && (units.at(-1) as number) > withPrevious) units.pop()
      }
      const wholeRequest = unchanged.at(-1)
      const unit = units.at(-1) ?? 0
      unchanged.push(request)
      if (isChanged && withPrevious > unit) units.push(withPrevious)
      units.push(ends[request] as number, unitEnds[request] as number)
      return { longest: withPrevious, wholeRequest, unit }
    },
    forget: () => {
      unchanged.length = 0
      units.length = 0
    },
  }
}

/** A node of a radix tree: a request, or the point after which requests differ. */
interface Branch {
  /** Number of results from the root to its end. */
  readonly depth: number
  /** A snapshot with its values. */
  readonly snapshot: number
  parent: Branch | undefined
  /** Its nearest ancestor with a request. */
  readonly above: Branch | undefined
  /** The latest request with exactly these results; undefined at a point after which requests differ. */
  request: number | undefined
  /** By the value of the next result. */
  readonly children: Map<number, Branch>
}

/**
 * For sessions in which a masked result can come back, because call ids repeat. Any earlier request may then share most,
 * so a radix tree has all of them. It is searched by bisection: each branch is stored under one of its prefixes, the one
 * whose length is divisible by the highest power of two (a z-fast trie, https://doi.org/10.1137/1.9781611973068.87).
 */
function changingPrefixes(
  prepared: PreparedReplay,
  ends: readonly number[],
  unitEnds: readonly number[],
): FindPrefixes {
  const { results } = prepared.session.conversation
  const snapshots = createSnapshots(prepared.links.length)
  const branches = new Map<string, Branch>()
  const newRoot = () => newBranch({ depth: 0, snapshot: 0, parent: undefined, above: undefined })
  let root = newRoot()

  const store = (branch: Branch, parent: Branch): void => {
    const length = roundestIn(parent.depth, branch.depth)
    branches.set(snapshots.prefixKey(branch.snapshot, length), branch)
    parent.children.set(snapshots.valueAt(branch.snapshot, parent.depth), branch)
    branch.parent = parent
  }

  /** The branch where a snapshot first differs from the tree, and the number of values before that. */
  const find = (snapshot: number, length: number): readonly [Branch, number] => {
    let found = root
    let [low, high] = [0, length]
    while (low < high) {
      const middle = roundestIn(low, high)
      const branch = branches.get(snapshots.prefixKey(snapshot, middle))
      if (branch === undefined) high = middle - 1
      else {
        const shared = snapshots.firstDifference(branch.snapshot, snapshot)
        if (shared < branch.depth) return [branch, shared]
        found = branch
        low = branch.depth
      }
    }
    const child =
      found.depth < length && found.children.get(snapshots.valueAt(snapshot, found.depth))
    if (!child) return [found, found.depth]
    return [child, Math.min(child.depth, snapshots.firstDifference(child.snapshot, snapshot))]
  }

  /** Inserts a branch of this depth between a branch and its parent. */
  const split = (branch: Branch, depth: number): Branch => {
    const { snapshot, above, parent = root } = branch
    const middle = newBranch({ depth, snapshot, parent, above })
    store(middle, parent)
    store(branch, middle)
    return middle
  }

  /** Messages of the unit that ends at a branch: all that two of its children share, or its request. */
  const unitOf = ({ children, depth, request }: Branch): number => {
    if (children.size > 1) return results[depth]?.message as number
    return request === undefined ? 0 : (unitEnds[request] as number)
  }

  const forget = (): void => {
    branches.clear()
    root = newRoot()
  }

  const next: FindPrefixes['next'] = (request, _, { changed, placeholders, sentResults }) => {
    for (const result of changed) snapshots.set(result, (placeholders[result] as number) + 1)
    const snapshot = snapshots.take()
    const [branch, shared] = find(snapshot, sentResults)
    const isInside = shared < branch.depth
    const whole = isInside || branch.request === undefined ? branch.above : branch
    const wholeRequest = whole?.request
    const longest =
      isInside || (branch.children.size > 0 && shared < sentResults)
        ? (results[shared]?.message as number)
        : wholeRequest === undefined
          ? 0
          : (ends[wholeRequest] as number)
    const unit = unitOf(isInside ? (branch.parent ?? root) : branch)
    if (shared === sentResults) branch.request = request
    else {
      const parent = isInside ? split(branch, shared) : branch
      const leaf = newBranch({ depth: sentResults, snapshot, parent, above: whole })
      leaf.request = request
      store(leaf, parent)
    }
    return { longest, wholeRequest, unit }
  }
  return { next, forget }
}

function newBranch(branch: Pick<Branch, 'depth' | 'snapshot' | 'parent' | 'above'>): Branch {
  return { ...branch, request: undefined, children: new Map() }
}

/** The number in (low, high] that is divisible by the highest power of two. */
function roundestIn(low: number, high: number): number {
  let number = high
  while ((number & (number - 1)) > low) number &= number - 1
  return number
}

/**
 * Snapshots of a list of numbers. Each is a binary tree, and equal subtrees of all snapshots have the same id.
 * Every operation takes logarithmic time.
 */
function createSnapshots(length: number) {
  let size = 1
  while (size <= length) size *= 2
  /** The current tree, by id: node 1 is the root, leaves start at `size`. Id 0 is a subtree without values. */
  const current = new Uint32Array(2 * size)
  const left = [0]
  const right = [0]
  const ids = new Map<number, number>()
  const idOf = (first: number, second: number): number => {
    const key = first * MAX_IDS + second
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, left.length)
    left.push(first)
    right.push(second)
    return left.length - 1
  }
  return {
    set: (index: number, value: number): void => {
      let node = size + index
      current[node] = idOf(value, MAX_IDS - 1)
      for (node >>= 1; node >= 1; node >>= 1) {
        current[node] = idOf(current[2 * node] as number, current[2 * node + 1] as number)
      }
    },
    take: (): number => current[1] as number,
    /** Two snapshots have the same key if and only if their first `count` values are equal. */
    prefixKey: (snapshot: number, count: number): string => {
      const parts = [count]
      let node = snapshot
      for (let half = size / 2; half >= 1; half /= 2) {
        if ((count & half) === 0) node = left[node] as number
        else {
          parts.push(left[node] as number)
          node = right[node] as number
        }
      }
      return parts.join()
    },
    valueAt: (snapshot: number, index: number): number => {
      let node = snapshot
      for (let half = size / 2; half >= 1; half /= 2) {
        node = ((index & half) === 0 ? left[node] : right[node]) as number
      }
      return left[node] as number
    },
    /** The first index at which two snapshots differ; the number of leaves if they are equal. */
    firstDifference: (one: number, other: number): number => {
      if (one === other) return size
      let [first, second, start] = [one, other, 0]
      for (let half = size / 2; half >= 1; half /= 2) {
        if (left[first] !== left[second]) {
          first = left[first] as number
          second = left[second] as number
        } else {
          first = right[first] as number
          second = right[second] as number
          start += half
        }
      }
      return start
    },
  }
}

/** Largest number of ids. Two ids fit into one exact number. */
const MAX_IDS = 2 ** 26
