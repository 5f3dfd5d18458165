/** Freezes a JSON value through and through, so that whoever writes to it throws. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Object.getOwnPropertyNames(value))
      deepFreeze((value as Record<string, unknown>)[key])
  }
  return value
}
