import { jsonPointer } from '../text/json-pointer'

/** Pointers of everything in which two JSON values differ, keys and their order included. */
export function differences(before: unknown, after: unknown): string[] {
  const found: string[] = []
  const walk = (a: unknown, b: unknown, path: (string | number)[]): void => {
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (let index = 0; index < a.length; index++) walk(a[index], b[index], [...path, index])
      return
    }
    if (isPlainObject(a) && isPlainObject(b)) {
      const keys = Object.keys(a)
      if (JSON.stringify(keys) === JSON.stringify(Object.keys(b))) {
        for (const key of keys) walk(a[key], b[key], [...path, key])
        return
      }
    }
    if (!Object.is(a, b)) found.push(jsonPointer(path))
  }
  walk(before, after, [])
  return found
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
