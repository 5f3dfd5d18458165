import { createHash } from 'node:crypto'

/** A version 4 UUID derived from a name: the same name gives the same UUID. */
export function derivedUuid(name: string): string {
  const hex = derivedHex(name, 32)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
  return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

/** This many hexadecimal digits, derived from a name. */
export function derivedHex(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length)
}
