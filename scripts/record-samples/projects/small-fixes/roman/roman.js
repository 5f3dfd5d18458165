const letters = [
  ['M', 1000],
  ['D', 500],
  ['C', 100],
  ['L', 50],
  ['X', 10],
  ['V', 5],
  ['I', 1],
]

/** Roman numeral of a whole number from 1 to 3999. */
export function toRoman(number) {
  let rest = number
  let text = ''
  for (const [letter, value] of letters) {
    while (rest >= value) {
      text += letter
      rest -= value
    }
  }
  return text
}

export function fromRoman(text) {
  const values = Object.fromEntries(letters)
  let sum = 0
  for (let position = 0; position < text.length; position++) {
    const value = values[text[position]]
    const next = values[text[position + 1]] ?? 0
    sum += value < next ? -value : value
  }
  return sum
}
