/** `countersign master-key rotate`: makes an old master key superfluous. It prints no key, and takes none from the command line. */
import { MASTER_KEY_VARIABLE, OLD_MASTER_KEYS_VARIABLE } from '../store/sealing/master-key.ts'
import { CommandError, options } from './command/command.ts'
import { DATA_HELP, withStore } from './command/with-store.ts'

const HELP = `Usage: countersign master-key rotate [options]

  Everything that is still sealed under an old master key is brought under the
  current one. The service may run meanwhile, with the same two variables:

  ${MASTER_KEY_VARIABLE}      the new key: 32 random bytes as Base64
  ${OLD_MASTER_KEYS_VARIABLE} the keys before it, comma-separated

  When it has ended, start the service without ${OLD_MASTER_KEYS_VARIABLE}.
${DATA_HELP}
`

export async function run(args: readonly string[]): Promise<void> {
  const read = options(args, { data: { type: 'string' } }, HELP)
  if (!read) return
  if (read.positionals.join(' ') !== 'rotate') throw new CommandError('master-key takes rotate. --help says how.')
  const rewrapped = await withStore(read.values.data, (store) => store.rewrapAll())
  process.stdout.write(`${JSON.stringify({ rewrapped })}\n`)
}
