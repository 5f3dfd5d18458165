import { useEffect } from 'react'

/** Titles the page in its language; the file has an English title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Observation Masking`
  }, [title])
}
