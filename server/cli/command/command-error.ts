/** The command was called wrongly; its message says how to call it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
