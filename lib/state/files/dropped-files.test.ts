import { describe, expect, test } from 'vitest'
import { fileOf } from '../testing/listed-files'
import { droppedFiles } from './dropped-files'

type Entry = Partial<FileSystemFileEntry & FileSystemDirectoryEntry>

describe('what is dropped', () => {
  const entry = (path: string, isDirectory: boolean) => {
    return { isDirectory, fullPath: path, name: path.slice(path.lastIndexOf('/') + 1) }
  }
  const leaf = (path: string): Entry => ({
    ...entry(path, false),
    file: (onFile) => onFile(fileOf(path, '[]').file as File),
  })
  const folder = (path: string, children: readonly Entry[]): Entry => ({
    ...entry(path, true),
    createReader: () => {
      // In chunks, like browsers.
      const pieces = [children.slice(0, 1), children.slice(1)].filter((piece) => piece.length > 0)
      return { readEntries: (onEntries) => onEntries((pieces.shift() ?? []) as FileSystemEntry[]) }
    },
  })
  const drop = (...entries: readonly Entry[]) =>
    droppedFiles({
      items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
      files: [],
    } as unknown as DataTransfer)

  test('folders are read in name order', async () => {
    const found = await drop(
      folder('/runs', [
        leaf('/runs/b.json'),
        folder('/runs/a', [leaf('/runs/a/1.json'), leaf('/runs/a/2.json')]),
        folder('/runs/node_modules', [leaf('/runs/node_modules/x.json')]),
      ]),
      leaf('/c.json'),
    )
    const names = ['runs/a/1.json', 'runs/a/2.json', 'runs/b.json', 'c.json']
    expect(found.map(({ name }) => name)).toEqual(names)
  })
})
