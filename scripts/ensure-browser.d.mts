export function findBrowser(): Promise<{ readonly path: string; readonly source: string } | null>
