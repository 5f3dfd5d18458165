/** Tokens under the encoding the counts were made with. */
export type Tokens = number

/** United States dollars. */
export type Usd = number

/** Dollars for a million tokens, as price lists write it. */
export type UsdPerMillion = number
