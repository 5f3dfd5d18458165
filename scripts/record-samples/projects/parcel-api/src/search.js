// Finds recipients whose name is written almost like the query.

import { parcels } from './parcels.js'

function distance(one, other) {
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      current.push(
        Math.min(
          previous[column] + 1,
          current[column - 1] + 1,
          previous[column - 1] + (isSame ? 0 : 1),
        ),
      )
    }
    previous = current
  }
  return previous[other.length]
}

/** At most 20 parcels whose recipient is within two letters of the query, or contains it. */
export function searchParcels(query) {
  const wanted = query.toLowerCase()
  return parcels
    .filter(({ recipient }) => {
      const name = recipient.toLowerCase()
      return distance(name, wanted) <= 2 || name.includes(wanted)
    })
    .slice(0, 20)
}
