/**
 * Positions of the values of a JSON document, all in one array of numbers: a long document has millions of values, and an
 * object for each would take more memory than the text.
 */
import type { JsonPath } from './json-path'
import type { Offset, TextSpan } from './span'

interface JsonTree {
  /**
   * A record of four words for each value: start, end, kind and key, and for an object or array the place of its children.
   * There are their number, then their records.
   */
  readonly words: Uint32Array
  readonly keys: readonly string[]
}

const KINDS = ['object', 'array', 'string', 'other'] as const
type Kind = (typeof KINDS)[number]

const END = 1
const META = 2
const CHILDREN = 3
const RECORD_WORDS = 4

const KIND_BITS = 2
const KIND_MASK = 3

/** The position of a value; members and items are in document order, including repeated keys. */
export class JsonNode implements TextSpan {
  readonly start: Offset
  readonly end: Offset
  readonly #tree: JsonTree
  readonly #at: number

  constructor(tree: JsonTree, at: number) {
    this.start = tree.words[at] as number
    this.end = tree.words[at + END] as number
    this.#tree = tree
    this.#at = at
  }

  get kind(): Kind {
    return kindAt(this.#tree, this.#at)
  }

  /** Empty unless it is an object. */
  get members(): readonly { readonly key: string; readonly value: JsonNode }[] {
    if (this.kind !== 'object') return []
    return childrenOf(this.#tree, this.#at).map((at) => {
      return { key: keyAt(this.#tree, at), value: new JsonNode(this.#tree, at) }
    })
  }

  /** Empty unless it is an array. */
  get items(): readonly JsonNode[] {
    if (this.kind !== 'array') return []
    return childrenOf(this.#tree, this.#at).map((at) => new JsonNode(this.#tree, at))
  }

  /** Returns the value at a path; of repeated keys the last, as in `JSON.parse`. Undefined when absent. */
  find(path: JsonPath): JsonNode | undefined {
    let at: number | undefined = this.#at
    for (const step of path) {
      at = typeof step === 'number' ? itemAt(this.#tree, at, step) : memberAt(this.#tree, at, step)
      if (at === undefined) return undefined
    }
    return new JsonNode(this.#tree, at)
  }

  /** Returns the same values with `offsets[offset]` in place of each offset. */
  moved(offsets: Uint32Array): JsonNode {
    const words = this.#tree.words.slice()
    const move = (at: number): void => {
      words[at] = offsets[words[at] as number] as number
      words[at + END] = offsets[words[at + END] as number] as number
      for (const child of childrenOf(this.#tree, at)) move(child)
    }
    move(this.#at)
    return new JsonNode({ ...this.#tree, words }, this.#at)
  }
}

function kindAt({ words }: JsonTree, at: number): Kind {
  return KINDS[(words[at + META] as number) & KIND_MASK] as Kind
}

function keyAt({ words, keys }: JsonTree, at: number): string {
  return keys[(words[at + META] as number) >>> KIND_BITS] as string
}

function childrenOf({ words }: JsonTree, at: number): number[] {
  if (((words[at + META] as number) & KIND_MASK) > 1) return []
  const place = words[at + CHILDREN] as number
  const length = words[place] as number
  return Array.from({ length }, (_, index) => place + 1 + index * RECORD_WORDS)
}

function itemAt(tree: JsonTree, at: number, index: number): number | undefined {
  if (kindAt(tree, at) !== 'array') return undefined
  const place = tree.words[at + CHILDREN] as number
  return index < (tree.words[place] as number) ? place + 1 + index * RECORD_WORDS : undefined
}

function memberAt(tree: JsonTree, at: number, key: string): number | undefined {
  if (kindAt(tree, at) !== 'object') return undefined
  const place = tree.words[at + CHILDREN] as number
  for (let index = (tree.words[place] as number) - 1; index >= 0; index--) {
    const child = place + 1 + index * RECORD_WORDS
    if (keyAt(tree, child) === key) return child
  }
  return undefined
}

/** Numbers in an array that grows. */
class Words {
  array = new Uint32Array(64)
  length = 0

  makeRoom(count: number): void {
    if (this.length + count <= this.array.length) return
    const larger = new Uint32Array(Math.ceil((this.length + count) * 1.5))
    larger.set(this.array.subarray(0, this.length))
    this.array = larger
  }
}

/** Collects the values of a document in the order in which they end. */
export class JsonTreeBuilder {
  readonly #base: Offset
  readonly #done = new Words()
  /** Records of values whose object or array is still open. */
  readonly #open = new Words()
  readonly #keys: string[] = []
  readonly #keyIndexes = new Map<string, number>()

  /** `base` is added to all offsets. */
  constructor(base: Offset) {
    this.#base = base
  }

  /** Where the children of an object or array that opens now will begin. */
  get mark(): number {
    return this.#open.length
  }

  /** Adds an object or array; its children are the values added since `mark`. */
  close(
    kind: 'object' | 'array',
    key: string | undefined,
    start: Offset,
    end: Offset,
    mark: number,
  ): void {
    this.add(kind, key, start, end, this.#move(mark))
  }

  /** Returns the only value that is in no other. */
  finish(): JsonNode {
    const place = this.#move(0)
    const { array, length } = this.#done
    return new JsonNode({ words: array.slice(0, length), keys: this.#keys }, place + 1)
  }

  /** Adds a value; of an object or array, `children` is the place of its children. */
  add(kind: Kind, key: string | undefined, start: Offset, end: Offset, children = 0): void {
    const open = this.#open
    open.makeRoom(RECORD_WORDS)
    const at = open.length
    open.array[at] = this.#base + start
    open.array[at + END] = this.#base + end
    open.array[at + META] = KINDS.indexOf(kind) | (this.#indexOf(key) << KIND_BITS)
    open.array[at + CHILDREN] = children
    open.length += RECORD_WORDS
  }

  /** Moves the open records from `mark` on to those that are done, and returns their place. */
  #move(mark: number): number {
    const [open, done] = [this.#open, this.#done]
    const place = done.length
    const words = open.length - mark
    done.makeRoom(1 + words)
    done.array[place] = words / RECORD_WORDS
    done.array.set(open.array.subarray(mark, open.length), place + 1)
    done.length += 1 + words
    open.length = mark
    return place
  }

  #indexOf(key: string | undefined): number {
    if (key === undefined) return 0
    const known = this.#keyIndexes.get(key)
    if (known !== undefined) return known
    const index = this.#keys.push(key) - 1
    this.#keyIndexes.set(key, index)
    return index
  }
}
