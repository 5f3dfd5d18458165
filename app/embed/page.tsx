import type { Metadata } from 'next'
import { Embed } from '@/components/embed/embed'

export const metadata: Metadata = {
  title: 'Embedded · Observation Masking',
  robots: { index: false },
}

export default function Page() {
  return <Embed />
}
