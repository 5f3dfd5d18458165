import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Files · Observation Masking' }

export { FilesPage as default } from '@/components/playground'
