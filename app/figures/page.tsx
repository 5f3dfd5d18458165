import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Shared figures · Observation Masking' }

export { SharedFigures as default } from '@/components/figures/shared-figures'
