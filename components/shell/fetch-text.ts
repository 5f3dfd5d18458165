import type { FetchText } from '@/lib/state/samples'

/** A text of this site, such as a sample; undefined when it cannot be had. */
export const fetchText: FetchText = async (path) => {
  try {
    const response = await fetch(`${process.env.NEXT_PUBLIC_BASE_PATH}/${path}`)
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}
