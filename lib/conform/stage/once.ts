/** Returns a function that makes a thing when it is first called, and gives the same ever after, its failure included. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
