import { useEffect, useState } from 'react'
import { useAllTexts } from '../language-provider'
import { codeMissing } from '../load-with-texts'

const load = () => import('./notice-text').then(({ NoticeText }) => NoticeText).catch(codeMissing)

/** The component that writes a notice; undefined until its code and its texts are loaded, which starts once it is wanted. */
export function useNoticeText(isWanted: boolean) {
  const [Loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>()
  const hasTexts = useAllTexts(isWanted)
  useEffect(() => {
    if (isWanted) void load().then((component) => setLoaded(() => component))
  }, [isWanted])
  return hasTexts ? Loaded : undefined
}
