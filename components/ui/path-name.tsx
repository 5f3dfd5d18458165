/** A path on one line. Folders are truncated before the file name. */
export function PathName({ name }: { readonly name: string }) {
  const slash = name.lastIndexOf('/') + 1
  return (
    <>
      {slash > 0 && <span className="min-w-0 truncate text-soft">{name.slice(0, slash)}</span>}
      <span className="min-w-0 max-w-full shrink-0 truncate">{name.slice(slash)}</span>
    </>
  )
}
