// The parcels: 10,000 made from a fixed seed, so that every run has the same.

let state = 4711
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 4294967296
}
const pick = (list) => list[Math.floor(random() * list.length)]

const first = ['Ada', 'Bela', 'Carla', 'Dmitri', 'Edith', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jonas']
const middle = ['Maria', 'Luca', 'Anneliese', 'Theodor', 'Konstantin', 'Wilhelmina', 'Jo', 'Emil']
const last = ['Lindqvist', 'Okafor', 'Marchetti', 'Vanderberg', 'Sato', 'Kowalczyk', 'Ng', 'Brandt']
const countries = ['AT', 'BE', 'CH', 'DK', 'ES', 'FI', 'NO', 'PT']

export const parcels = Array.from({ length: 10000 }, (_, index) => ({
  id: `P${10000 + index}`,
  recipient: `${pick(first)} ${pick(middle)} ${pick(last)}`,
  country: pick(countries),
  grams: 100 + Math.floor(random() * 9900),
}))

export const parcelsById = new Map(parcels.map((parcel) => [parcel.id, parcel]))
