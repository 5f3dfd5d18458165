/** One slot for the current policy and one for the pinned policy. */
const SLOTS = 2

/** Remembers the last results of a function by the identity of its inputs. */
export function memoize<Inputs extends readonly unknown[], Output>(
  make: (...inputs: Inputs) => Output,
): (...inputs: Inputs) => Output {
  /** Most recently used first. */
  let slots: readonly { readonly inputs: Inputs; readonly output: Output }[] = []
  return (...inputs) => {
    const known = slots.find((slot) => slot.inputs.every((input, index) => input === inputs[index]))
    if (known !== undefined && known === slots[0]) return known.output
    const used = known ?? { inputs, output: make(...inputs) }
    slots = [used, ...slots.filter((slot) => slot !== used)].slice(0, SLOTS)
    return used.output
  }
}
