/** What the commands share: how options are read, and how a wrong one is reported. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The command was called wrongly; its message says how to call it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The options, or null when help was asked for and printed. */
export function options<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  accepted: T,
  help: string,
) {
  const config = {
    args: [...args],
    options: { ...accepted, help: { type: 'boolean' } },
    allowPositionals: true,
  } as const
  const { values, positionals } = read(() => parseArgs(config))
  if ((values as { help?: boolean }).help) {
    process.stdout.write(help)
    return null
  }
  return { values, positionals }
}

function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (failure) {
    throw new CommandError(`${(failure as Error).message.split('. ')[0]}. --help lists the options.`)
  }
}
