// Asks the rates service for the price of a kilogram in a country.

export async function fetchRate(base, country, timeoutMs) {
  const response = await fetch(`${base}/rates/${country}`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`rates service answered ${response.status}`)
  const { centsPerKilogram } = await response.json()
  return centsPerKilogram
}
