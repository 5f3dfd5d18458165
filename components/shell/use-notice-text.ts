import { useEffect, useState } from 'react'
import { codeMissing } from '../load-with-texts'

const load = () => import('./notice-text').then(({ NoticeText }) => NoticeText).catch(codeMissing)

/** The component that writes a notice; undefined until its code is loaded, which starts once it is wanted. */
export function useNoticeText(isWanted: boolean) {
  const [Loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>()
  useEffect(() => {
    if (isWanted) void load().then((component) => setLoaded(() => component))
  }, [isWanted])
  return Loaded
}
