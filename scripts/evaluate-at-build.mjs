import { build } from 'esbuild'

/** A loader of Turbopack: replaces a module by its result. */
export default function loadResult() {
  return resultOf(this.resourcePath)
}

/** Runs a module and returns the source of one that exports the same values, which JSON must be able to write. */
export async function resultOf(path) {
  const options = { entryPoints: [path], bundle: true, format: 'esm', write: false }
  const { outputFiles } = await build(options)
  const source = Buffer.from(outputFiles[0].contents).toString('base64')
  const values = await import(`data:text/javascript;base64,${source}`)
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
