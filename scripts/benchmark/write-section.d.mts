export function writeSection(name: string, markdown: string, file?: string): void
export function replaceSection(page: string, name: string, markdown: string, file?: string): string
