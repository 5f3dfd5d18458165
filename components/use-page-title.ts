import { useEffect } from 'react'

/** Titles the page in its language; the file has an English title, which Next may write again later. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const wanted = `${title} · Observation Masking`
    const write = () => {
      if (document.title !== wanted) document.title = wanted
    }
    write()
    const observer = new MutationObserver(write)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [title])
}
