import Link from 'next/link'
import { shell } from '@/lib/messages/en/shell-messages'

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      {/* A masked line among two that are kept. */}
      <div aria-hidden className="flex w-24 flex-col gap-3">
        <span className="h-2.5 rounded-full bg-ink" />
        <span className="h-2.5 w-3/5 rounded-full bg-accent" />
        <span className="h-2.5 rounded-full bg-ink" />
      </div>
      <h1 className="font-semibold text-2xl tracking-tight">{shell.notFound}</h1>
      <Link href="/" className="text-accent underline underline-offset-4">
        {shell.toPlayground}
      </Link>
    </main>
  )
}
