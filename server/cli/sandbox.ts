/** `countersign sandbox`: resets a sandbox that runs, gives it another seed, and keeps and brings back what a sender did. */
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { jsonIn } from './command/named-file.ts'
import { printLine } from './command/print-line.ts'

interface Given {
  url: string
  key?: string
  everything?: boolean
}

/** Resets may wait for documents that are under way. */
const TIMEOUT_MS = 120_000

const verb = (name: string) =>
  new Command(name)
    .needs('--url <URL>', 'the sandbox, as a client names it')
    .option('--key <KEY>', 'API key of a sender; better in COUNTERSIGN_KEY')

export const command = new Command('sandbox')
  .addCommand(
    verb('reset')
      .description('remove what the sender did; keys, templates and subscriptions stay')
      .option('--everything', 'return all organizations, the people, and the clock to the start, too')
      .action(async (given: Given, { shell }: Command) => {
        const body = { everything: given.everything ?? false }
        await called(given, shell, { name: 'reset', method: 'POST', path: 'reset', body })
        printLine(shell, { reset: given.everything ? 'everything' : 'organization' })
      }),
  )
  .addCommand(
    verb('seed')
      .argument('<FILE>', 'organizations, signers, people, templates and orders, as JSON')
      .description('reset everything to another seed, and print the keys that it made')
      .action(async (file: string, given: Given, { shell }: Command) => {
        const body = seedIn(file)
        const apiKeys = await called(given, shell, { name: 'seed', method: 'POST', path: 'seed', body })
        printLine(shell, { apiKeys: apiKeys as object[] })
      }),
  )
  .addCommand(
    verb('snapshot')
      .argument('<NAME>')
      .description('keep what the sender did until now under a name')
      .action(async (name: string, given: Given, { shell }: Command) => {
        const body = { name }
        printLine(
          shell,
          (await called(given, shell, { name: 'snapshot', method: 'POST', path: 'snapshots', body })) as object,
        )
      }),
  )
  .addCommand(
    verb('restore')
      .argument('<NAME>')
      .description('bring back what was kept under a name, and remove all that came after it')
      .action(async (name: string, given: Given, { shell }: Command) => {
        const params = { name }
        await called(given, shell, { name: 'restore', method: 'POST', path: 'snapshots/:name/restore', params })
        printLine(shell, { restored: name })
      }),
  )

async function called(
  { url: baseUrl, key }: Given,
  shell: Shell,
  call: { name: string; method: 'POST'; path: string; params?: object; body?: object },
): Promise<unknown> {
  const apiKey = key ?? shell.env.COUNTERSIGN_KEY ?? ''
  if (apiKey === '') throw new CommandError('--key is required, or COUNTERSIGN_KEY in the environment')
  // Loaded only now, so that help and wrong options are answered at once.
  const { sandboxCaller } = await import('../../lib/client/sandbox-call.ts')
  const { SettingsError } = await import('../../lib/settings.ts')
  try {
    return await sandboxCaller({ baseUrl, apiKey, timeoutMs: TIMEOUT_MS })(call)
  } catch (error) {
    if (error instanceof SettingsError) throw new CommandError(error.errors.join('; '))
    const { errors, message } = error as Error & { errors?: readonly string[] }
    throw new CommandError(errors?.join('; ') || message)
  }
}

function seedIn(file: string): object {
  const seed = jsonIn(file, 'the seed')
  if (typeof seed === 'object' && seed !== null) return seed
  throw new CommandError(`the seed: ${file} does not hold a JSON object.`)
}
