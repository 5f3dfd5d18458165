import type { Metadata } from 'next'

export const metadata: Metadata = {
  title: 'Embedded · Observation Masking',
  robots: { index: false },
}

export { Embed as default } from '@/components/embed/embed'
