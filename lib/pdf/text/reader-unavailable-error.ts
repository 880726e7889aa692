/** The PDF reader cannot run in this program: no document can be read, and none is at fault. */
export class ReaderUnavailableError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'ReaderUnavailableError'
  /** `READER_UNAVAILABLE`. */
  readonly code = 'READER_UNAVAILABLE'
  /** @param reason continues "The PDF reader …" */
  constructor(reason: string) {
    super(`The PDF reader ${reason}. Use Node.js 22.13 or later, with all dependencies of this package installed.`)
  }
}

/** Features that the reader uses and older programs lack. Without them the reader would fail as if the document were wrong. */
const NEEDS: Readonly<Record<string, () => unknown>> = {
  'Promise.withResolvers': () => Reflect.get(Promise, 'withResolvers'),
  'URL.parse': () => URL.parse,
  structuredClone: () => globalThis.structuredClone,
}

/** @throws ReaderUnavailableError that names what is missing */
export function checkReaderNeeds(): void {
  const missing = Object.keys(NEEDS).filter((name) => typeof NEEDS[name]!() !== 'function')
  if (missing.length === 0) return
  throw new ReaderUnavailableError(`needs ${missing.join(' and ')}, which this program does not have`)
}
