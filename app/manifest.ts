import type { MetadataRoute } from 'next'

export const dynamic = 'force-static'

/** For browsers that install the site. Addresses are relative to the manifest, so that they hold below any path. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Observation Masking Playground',
    short_name: 'Masking',
    description:
      'Which old tool results a masking policy replaces, and what every request then costs.',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: '#fcfbf9',
    theme_color: '#fcfbf9',
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: 'icons/192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icons/512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icons/512-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
