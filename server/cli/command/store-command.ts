/** Commands on the store of a service, which may be running or not have been started yet. */
import { withSettings } from '../settings/flags.ts'
import { someSettings } from '../settings/given-settings.ts'
import { variableOf } from '../settings/names.ts'
import { Command, type Shell } from './command.ts'
import { type CommandContext, operatorContext } from './operator-context.ts'
import { printLine } from './print-line.ts'
import { shown } from './shown.ts'
import { problemOf, withStore } from './with-store.ts'

/** The settings that say which store, and how it is read. */
const OF_STORE = ['data', 'sandbox', 'masterKey', 'oldMasterKeys'] as const

/** A command whose verbs share the options that say which store. */
export const storeCommand = (name: string): Command =>
  withSettings(new Command(name).helpCommand(false), OF_STORE)
    .option('--json', 'JSON, one line each, also where the answer would be text')
    .addHelpText(
      'afterAll',
      `
The settings may be given by variables, such as ${variableOf('data')} and
${variableOf('masterKey')}, and by files, as those of the service. The password of
PostgreSQL comes from PGPASSWORD, or from PGPASSFILE with the name of a file like
~/.pgpass. Other users of the machine see a password in --data.`,
    )

/** One call: the options by their names in camelCase, and what is after the verb. */
export interface Call<Given = object> {
  context: CommandContext
  given: Given
  operands: readonly string[]
  isJson: boolean
  shell: Shell
}

export interface Terms<Given> {
  mayMake?: (given: Given) => boolean
  storeKnowsMore?: boolean
  check?: (call: Pick<Call<Given>, 'given' | 'operands'>) => void
}

/**
 * Returns the action of a verb, for commander to call.
 *
 * @param run returns what is shown, to people or as one line of JSON; undefined when it has printed by itself
 * @param mayMake whether to make a store where there is none; a wrong --data must not leave an empty one behind
 * @param check throws when a value is wrong, before a store is opened or made
 * @param storeKnowsMore whether a store that can be opened is asked all the same, for everything else that is wrong
 */
export const onStore =
  <Given extends object>(
    run: (call: Call<Given>) => Promise<unknown>,
    { mayMake = () => false, check, storeKnowsMore = false }: Terms<Given> = {},
  ) =>
  async (...called: unknown[]): Promise<void> => {
    const command = called.at(-1) as Command
    const {
      data,
      sandbox,
      masterKeyFile,
      oldMasterKeysFile,
      json: isJson = false,
      ...given
    } = command.optsWithGlobals()
    const { shell, args: operands } = command
    const place = someSettings(OF_STORE, { data, sandbox, masterKeyFile, oldMasterKeysFile }, shell.env)
    const call = { given: given as Given, operands, isJson, shell }
    const wrong = problemOf(() => check?.(call))
    if (wrong && !storeKnowsMore) throw wrong
    let isOpen = false
    const result = await withStore(
      { ...place.settings, dataName: place.given.nameOf('data') },
      (store) => {
        isOpen = true
        return run({ ...call, context: operatorContext(store, new Date()) })
      },
      { mayMake: mayMake(call.given), shell },
    ).catch((failure: unknown) => {
      throw isOpen ? failure : (wrong ?? failure)
    })
    if (result === undefined) return
    if (isJson) printLine(shell, result)
    else shell.stdout.write(shown(result as object))
  }
