/**
 * The requests of a session in which results can become again what they were, as when call ids are used again: a tree in
 * which equal beginnings of requests are stored once. A request is compared along one way through the tree, so time and
 * memory grow at worst with the square of the requests. A replay of 2,000 turns with 100 ids takes a fraction of a second.
 */

interface Node {
  /** The states from item `from` on, of which those before `end` are this node's. */
  readonly states: Int32Array
  readonly from: number
  end: number
  children: Node[]
  /** The latest request that ends here. */
  latest: number
}

const NONE = -1

/** `state` has the current state of each item, `firstItem` the first one of a message. */
export function createRequestTree(
  state: Int32Array,
  messageOf: ArrayLike<number>,
  firstItem: ArrayLike<number>,
) {
  const emptyRoot = (): Node => ({
    states: new Int32Array(),
    from: 0,
    end: 0,
    children: [],
    latest: NONE,
  })
  let root = emptyRoot()
  let [whole, difference, branch] = [NONE, NONE, NONE]

  /** The first item in which a node differs from the current states, at most `end`. */
  const sameUntil = ({ states, from }: Node, start: number, end: number): number => {
    let item = start
    while (item < end && states[item - from] === state[item]) item++
    return item
  }

  const add = (request: number, items: number): void => {
    ;[whole, difference, branch] = [NONE, NONE, NONE]
    let node = root
    let item = 0
    for (;;) {
      if (node.latest !== NONE) whole = node.latest
      if (item === items) break
      const message = messageOf[item] as number
      if (node.children.length > 1) branch = message
      const next = firstItem[message + 1] as number
      const child = node.children.find((one) => sameUntil(one, item, next) === next)
      if (child === undefined) {
        if (node.children.length > 0) difference = message
        const states = state.slice(item, items)
        node.children.push({ states, from: item, end: items, children: [], latest: request })
        return
      }
      const same = sameUntil(child, next, child.end)
      // Messages are compared as a whole.
      item = same === child.end ? same : (firstItem[messageOf[same] as number] as number)
      if (item < child.end) split(child, item)
      node = child
    }
    node.latest = request
  }

  return {
    /** Adds a request with the current states; requests are added in order. */
    add,
    /** Of the request added last: the latest earlier one that is its beginning, or -1. */
    whole: () => whole,
    /** The first message in which it differs from the one that shares most, if that has more messages, or -1. */
    difference: () => difference,
    /** The last message in which two earlier requests differ that share all before it with this one, or -1. */
    branch: () => branch,
    clear: () => {
      root = emptyRoot()
    },
  }
}

/** Makes two of a node: one before an item, and below it the rest. */
function split(node: Node, item: number): void {
  const rest = { ...node, states: node.states.subarray(item - node.from), from: item }
  node.end = item
  node.children = [rest]
  node.latest = NONE
}
