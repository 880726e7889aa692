/** Where an error happened, without its message, which may quote what it choked on: a name, a document, a key. */
export const stackFrames = (error: unknown): string[] =>
  error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')) : []
