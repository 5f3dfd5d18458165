const { port1: closed } = new MessageChannel()
closed.close()

/**
 * Frees the memory of bytes at once, which a garbage collector may keep for minutes: they are transferred to a port that
 * nobody receives from.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) closed.postMessage(undefined, [buffer])
}
