export function writeSection(name: string, markdown: string): void
export function replaceSection(page: string, name: string, markdown: string): string
