const symbols = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A whole number written in another base, from 2 to 36. */
export function toBase(number, base) {
  let rest = number
  let text = ''
  while (rest > 0) {
    text = symbols[rest % base] + text
    rest = (rest / base) | 0
  }
  return text
}
