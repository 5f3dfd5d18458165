import { describe, expect, test } from 'vitest'
import { fileOf } from '../testing/listed-files'
import { droppedFiles, type EntryLike, type FileLike } from './dropped-files'

describe('what is dropped', () => {
  const leaf = (path: string): EntryLike => ({
    isDirectory: false,
    fullPath: path,
    name: path.slice(path.lastIndexOf('/') + 1),
    file: (onFile) => onFile(fileOf(path, '[]').file),
  })
  const folder = (path: string, children: readonly EntryLike[]): EntryLike => ({
    isDirectory: true,
    fullPath: path,
    name: path.slice(path.lastIndexOf('/') + 1),
    createReader: () => {
      // In chunks, like browsers.
      const pieces = [children.slice(0, 1), children.slice(1)].filter((piece) => piece.length > 0)
      return { readEntries: (onEntries) => onEntries(pieces.shift() ?? []) }
    },
  })
  const drop = (...entries: readonly EntryLike[]) =>
    droppedFiles({
      items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
      files: [] as FileLike[],
    })

  test('folders are read in name order', async () => {
    const found = await drop(
      folder('/runs', [
        leaf('/runs/b.json'),
        folder('/runs/a', [leaf('/runs/a/1.json'), leaf('/runs/a/2.json')]),
        folder('/runs/node_modules', [leaf('/runs/node_modules/x.json')]),
      ]),
      leaf('/c.json'),
    )
    expect(found.map(({ name }) => name)).toEqual([
      'runs/a/1.json',
      'runs/a/2.json',
      'runs/b.json',
      'c.json',
    ])
  })
})
