/** A thin progress bar at the top edge. */
export function ProgressLine(props: {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
  readonly className: string
}) {
  const { label, share, className } = props
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      className={`inset-x-0 top-0 h-0.5 overflow-hidden ${className}`}
    >
      <div
        className="h-full bg-accent transition-[width] duration-150"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
