import type { SpawnWorker, WorkerLike } from './client'

/** Starts the browser's worker; its name tells it the encoding to count in. */
export const spawnWorker: SpawnWorker = (encoding) =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: encoding,
  }) as unknown as WorkerLike
