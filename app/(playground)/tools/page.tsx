import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Tools · Observation Masking' }

export { ToolsPage as default } from '@/components/playground'
