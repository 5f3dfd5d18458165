export function buildPackage(folder?: string): Promise<{
  readonly tarball: string
  readonly bytes: number
  readonly sizes: Readonly<Record<string, number>>
}>
