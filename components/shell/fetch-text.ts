import type { FetchText } from '@/lib/state/files/samples'

/** Fetches a text of this site, such as a sample; undefined if that fails. */
export const fetchText: FetchText = async (path) => {
  try {
    const response = await fetch(`${process.env.NEXT_PUBLIC_BASE_PATH}/${path}`)
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}
