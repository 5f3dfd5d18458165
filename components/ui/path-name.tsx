/** What of a file name stays: its extension, and a little before it. */
const END_CHARS = 6

/** A path on one line. Without room, folders are cut first, then the middle of the file name, then its end. */
export function PathName({ name }: { readonly name: string }) {
  const slash = name.lastIndexOf('/') + 1
  const end = Math.max(slash, name.length - END_CHARS)
  return (
    <>
      {/* Readers of the parts would put a space between them. */}
      <span className="sr-only">{name}</span>
      {slash > 0 && (
        <span aria-hidden className="min-w-0 truncate text-soft">
          {name.slice(0, slash)}
        </span>
      )}
      <span aria-hidden className="flex min-w-0 max-w-full shrink-0 whitespace-pre">
        <span className={`shrink-[999] ${end - slash > 4 ? 'min-w-[3ch] truncate' : ''}`}>
          {name.slice(slash, end)}
        </span>
        <span className="min-w-0 truncate">{name.slice(end)}</span>
      </span>
    </>
  )
}
