/** Commands on the store of a service, which may be running or not have been started yet. */
import { MASTER_KEY_VARIABLE } from '../../store/sealing/master-key.ts'
import { Command } from './command.ts'
import { type CommandContext, operatorContext } from './operator-context.ts'
import { printLine } from './print-line.ts'
import { shown } from './shown.ts'
import { withStore } from './with-store.ts'

/** A command whose verbs share the options that say which store. */
export const storeCommand = (name: string, summary: string): Command =>
  new Command(name)
    .description(summary)
    .helpCommand(false)
    .option('--data <DIR|postgres://…>', 'the store of the service', 'countersign-data')
    .option('--sandbox', 'the store of a sandbox, which keeps its own key')
    .option('--json', 'JSON, one line each, also where the answer would be text')
    .addHelpText('afterAll', `\n${MASTER_KEY_VARIABLE} in the environment: as for the service`)

/** One call: the options by their names in camelCase, and what stands after the verb. */
export interface Call<Given = object> {
  context: CommandContext
  given: Given
  operands: readonly string[]
  isJson: boolean
}

/**
 * Returns the action of a verb, for commander to call.
 *
 * @param run returns what is shown, to people or as one line of JSON; undefined when it has printed by itself
 * @param mayMake whether to make a store where there is none; a wrong --data must not leave an empty one behind
 */
export const onStore =
  <Given extends object>(run: (call: Call<Given>) => Promise<unknown>, { mayMake = false } = {}) =>
  async (...called: unknown[]): Promise<void> => {
    const command = called.at(-1) as Command
    const { data, sandbox: isSandbox = false, json: isJson = false, ...given } = command.optsWithGlobals()
    const call = { given: given as Given, operands: command.args, isJson }
    const result = await withStore(
      data,
      (store) => run({ ...call, context: operatorContext(store, new Date(), isSandbox) }),
      { mayMake, isSandbox },
    )
    if (result === undefined) return
    if (isJson) printLine(result)
    else process.stdout.write(shown(result as object))
  }
