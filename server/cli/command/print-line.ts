import type { Shell } from './command.ts'

/** Writes one line of JSON to standard output. */
export const printLine = ({ stdout }: Pick<Shell, 'stdout'>, value: unknown) =>
  void stdout.write(`${JSON.stringify(value)}\n`)
