import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'How masking works · Observation Masking' }

export { HelpPage as default } from '@/components/help/help-page'
