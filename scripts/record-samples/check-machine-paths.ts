const machinePaths = ['/work/', '/tmp/', '/root', '/home/', '/Users/']

/** Throws when a recording names a path of the machine it was made on. */
export function checkNoMachinePath(file: string, text: string): void {
  for (const path of machinePaths) {
    const position = text.indexOf(path)
    if (position === -1) continue
    const around = text.slice(Math.max(0, position - 80), position + 80)
    throw new Error(`${file} names ${path} at ${position}: ...${around}...`)
  }
}
