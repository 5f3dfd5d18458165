import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'
import { LanguageProvider } from '@/components/language-provider'
import { markLanguage } from '@/components/mark-language'
import { STORAGE_KEYS } from '@/lib/state/sync-stored'
import './globals.css'
import './print.css'

export const metadata: Metadata = {
  title: 'Observation Masking Playground',
  description:
    'Paste an agent’s conversation, see which old tool results a masking policy replaces and why, and what every request then costs. Nothing you paste leaves the page.',
  referrer: 'no-referrer',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fcfbf9' },
    { media: '(prefers-color-scheme: dark)', color: '#131316' },
  ],
}

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    // Scripts set the class of the theme and mark the language before React hydrates the element.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <head>
        {/* Not of each page: a browser asks for /favicon.ico while the icon of the next page is awaited. */}
        <link
          rel="icon"
          type="image/svg+xml"
          href={`${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/icon.svg`}
        />
        <script
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own function, allowed by its hash.
          dangerouslySetInnerHTML={{
            __html: `(${markLanguage})(${JSON.stringify(STORAGE_KEYS.language)})`,
          }}
        />
      </head>
      <body>
        {/* Sets light, dark or the system's theme as a class on `html`. */}
        <ThemeProvider
          attribute="class"
          storageKey={STORAGE_KEYS.theme}
          defaultTheme="system"
          disableTransitionOnChange
        >
          <LanguageProvider>{children}</LanguageProvider>
        </ThemeProvider>
      </body>
    </html>
  )
}
