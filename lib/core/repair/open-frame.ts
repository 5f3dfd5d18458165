import { MAX_JSON_DEPTH } from '../text/json-tree'
import type { Offset } from '../text/span'
import { CannotRead, type Frame, type Reading, type ValueKind } from './reading'

export function openFrame(
  reading: Reading,
  kind: Frame['kind'],
  style: Frame['style'],
  start: Offset,
): Frame {
  if (reading.stack.length >= MAX_JSON_DEPTH) throw new CannotRead('too_deep')
  const frame: Frame = {
    kind,
    style,
    start,
    count: 0,
    comma: undefined,
    extraOpenings: 0,
    lastKind: undefined,
    lastStart: start,
  }
  reading.stack.push(frame)
  return frame
}

/** Tells the innermost open bracket, or the roots, that a value was read or begins. */
export function addValue(reading: Reading, kind: ValueKind, start: Offset): void {
  const frame = reading.stack.at(-1)
  if (frame === undefined) {
    reading.roots.push({ kind, start, end: reading.position, hasCommaBefore: false })
    return
  }
  if (frame.kind === 'array') frame.count++
  frame.comma = undefined
  frame.lastKind = kind
  frame.lastStart = start
}
