import { applyEdits, type Edit } from '../text/span'
import { CannotRead, fix, type Reading, type RepairFix, type Root } from './reading'
import type { StrategyName } from './strategies'

const ENDINGS: ReadonlySet<StrategyName> = new Set([
  'unclosed_strings',
  'unclosed_arrays',
  'unclosed_objects',
  'truncated_input',
])

interface ParsedRoot extends Root {
  readonly value: unknown
  readonly json: string
}

/** Makes one value of several that follow each other: merged, listed, or without what is there twice. */
export function joinRoots(reading: Reading): void {
  const { roots } = reading
  if (roots.length === 0) throw new CannotRead()
  if (roots.length === 1) return
  if (roots.some(({ kind }) => kind !== 'object' && kind !== 'array')) {
    listValues(reading, roots)
    return
  }
  let left = withoutEmpty(reading, parseRoots(reading))
  if (left.length === 1) return
  const isGlued = left.every(
    ({ hasCommaBefore, kind }, index) => kind === 'object' && (index === 0 || !hasCommaBefore),
  )
  if (isGlued) {
    left = withoutDuplicates(reading, left)
    if (left.length === 1) return
    if (!left.every(isEmpty) && mergeObjects(reading, left)) return
  }
  listValues(reading, left)
}

function parseRoots({ text, roots, fixes }: Reading): readonly ParsedRoot[] {
  const sorted = [...fixes].sort(
    (a, b) => a.start - b.start || (a.start === a.end ? 0 : 1) - (b.start === b.end ? 0 : 1),
  )
  let next = 0
  return roots.map((root) => {
    const edits: Edit[] = []
    while (next < sorted.length && (sorted[next] as Edit).start < root.start) next++
    while (next < sorted.length && (sorted[next] as Edit).end <= root.end) {
      const { start, end, text: insert } = sorted[next++] as Edit
      edits.push({ start: start - root.start, end: end - root.start, text: insert })
    }
    try {
      const source = text.slice(root.start, root.end)
      const value: unknown = JSON.parse(edits.length === 0 ? source : applyEdits(source, edits))
      return { ...root, value, json: JSON.stringify(value) }
    } catch {
      throw new CannotRead()
    }
  })
}

interface Removal extends Edit {
  readonly strategy: 'duplicated_objects' | 'concatenated_objects'
}

/** Makes the removals, which ascend, in place of all corrections within them. */
function remove(reading: Reading, removals: readonly Removal[]): void {
  const { fixes } = reading
  const sorted = fixes.splice(0).sort((a, b) => a.start - b.start)
  let next = 0
  for (const made of sorted) {
    while (next < removals.length && isAfter(made, removals[next] as Removal)) next++
    const removal = removals[next]
    if (removal === undefined || made.end <= removal.start) fixes.push(made)
  }
  for (const { strategy, start, end, text } of removals) fix(reading, strategy, start, end, text)
}

/** What ends a value that was cut off stands right behind it, and belongs to it. */
function isAfter({ start, end, strategy }: RepairFix, removal: Removal): boolean {
  const isEnding = start === end && ENDINGS.has(strategy)
  return isEnding ? removal.end < start : removal.end <= start
}

function isEmpty({ json }: ParsedRoot): boolean {
  return json === '{}' || json === '[]'
}

/** `{}{"a": 1}`: what is empty says nothing beside what is not. */
function withoutEmpty(reading: Reading, roots: readonly ParsedRoot[]): readonly ParsedRoot[] {
  const full = roots.filter((root) => !isEmpty(root))
  if (full.length === 0 || full.length === roots.length) return roots
  return keepOnly(reading, 'concatenated_objects', roots, new Set(full))
}

function withoutDuplicates(reading: Reading, roots: readonly ParsedRoot[]): readonly ParsedRoot[] {
  const { text } = reading
  const isGlued = roots.every(
    (root, index) => index === 0 || text.slice(roots[index - 1]?.end, root.start) === '',
  )
  // Empty objects on lines of their own are a list.
  if (roots.every(isEmpty) && !isGlued) return roots
  const seen = new Set<string>()
  const kept = new Set(roots.filter(({ json }) => !seen.has(json) && seen.add(json)))
  return kept.size === roots.length ? roots : keepOnly(reading, 'duplicated_objects', roots, kept)
}

function keepOnly(
  reading: Reading,
  strategy: 'duplicated_objects' | 'concatenated_objects',
  roots: readonly ParsedRoot[],
  kept: ReadonlySet<ParsedRoot>,
): readonly ParsedRoot[] {
  const removals: Removal[] = []
  let hasKept = false
  for (const [index, root] of roots.entries()) {
    if (kept.has(root)) {
      hasKept = true
      continue
    }
    // With the space between it and what is kept: before it, or after it when nothing was kept yet.
    const start = hasKept ? (roots[index - 1]?.end ?? root.start) : root.start
    const end = hasKept ? root.end : (roots[index + 1]?.start ?? root.end)
    removals.push({ strategy, start, end, text: '' })
  }
  remove(reading, removals)
  return roots.filter((root) => kept.has(root))
}

/** `{"a": 1}{"b": 2}`: one object, unless two of them disagree on a name. */
function mergeObjects(reading: Reading, roots: readonly ParsedRoot[]): boolean {
  const names = new Set<string>()
  for (const { value } of roots) {
    for (const name of Object.keys(value as object)) {
      if (names.has(name)) return false
      names.add(name)
    }
  }
  const removals: Removal[] = []
  for (const [index, root] of roots.entries()) {
    const before = roots[index - 1]
    if (before === undefined) continue
    if (reading.text[before.end - 1] !== '}' || reading.text[root.start] !== '{') return false
    const text = reading.isSpaced ? ', ' : ','
    removals.push({
      strategy: 'concatenated_objects',
      start: before.end - 1,
      end: root.start + 1,
      text,
    })
  }
  remove(reading, removals)
  return true
}

function listValues(reading: Reading, roots: readonly Root[]): void {
  const [first, last] = [roots[0], roots.at(-1)]
  if (first === undefined || last === undefined) return
  fix(reading, 'listed_values', first.start, first.start, '[')
  for (const [index, root] of roots.entries()) {
    const before = roots[index - 1]
    if (before === undefined || root.hasCommaBefore) continue
    fix(reading, 'listed_values', before.end, before.end, before.end === root.start ? ', ' : ',')
  }
  fix(reading, 'listed_values', last.end, last.end, ']')
}
