/** True if two lists have the same items in the same order. */
export const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])
