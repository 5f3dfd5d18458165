import type { Metadata } from 'next'
import { SharedFigures } from '@/components/figures/shared-figures'

export const metadata: Metadata = { title: 'Shared figures · Observation Masking' }

export default function Page() {
  return <SharedFigures />
}
