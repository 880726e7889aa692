/**
 * What the operator's commands share: `countersign <command> <verb>`, run on the store of a service, which may be running or
 * not have been started yet. A result is shown for people, or as one line of JSON with --json.
 */
import type { ParseArgsConfig } from 'node:util'
import { MASTER_KEY_VARIABLE } from '../../store/sealing/master-key.ts'
import { CommandError, options } from './command.ts'
import { type CommandContext, operatorContext } from './operator-context.ts'
import { shown } from './shown.ts'
import { DATA_HELP, withStore } from './with-store.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Verb {
  options?: Options
  /** What stands after the verb, by name: `NPI`. */
  takes?: readonly string[]
  /** Throws a CommandError when the command was called wrongly. What it returns is shown. */
  run(on: { context: CommandContext; given: Given; operands: readonly string[] }): Promise<object>
}

/** The options of a call, read one by one. */
export interface Given {
  text(name: string): string | undefined
  /** Throws when the option is missing. */
  needed(name: string): string
  all(name: string): readonly string[]
  isSet(name: string): boolean
}

const HELP_OF_ALL = `
${DATA_HELP}
  --sandbox                 the store of a sandbox, which keeps its own key
  --json                    one line of JSON instead of text

  ${MASTER_KEY_VARIABLE}    as for the service
`

export function administer(command: string, help: string, verbs: Readonly<Record<string, Verb>>) {
  return async (args: readonly string[]): Promise<void> => {
    const [name = '', ...rest] = args
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    const accepted: Options = { ...verb?.options, data: text, sandbox: flag, json: flag }
    const read = options(verb ? rest : args, accepted, help + HELP_OF_ALL)
    if (!read) return
    if (!verb) throw new CommandError(`${command} takes one of ${Object.keys(verbs).join(', ')}. --help explains them.`)
    const { takes = [] } = verb
    if (read.positionals.length !== takes.length)
      throw new CommandError(`Usage: countersign ${[command, name, ...takes].join(' ')}. --help lists the options.`)
    const given = givenOf(read.values as Values)
    const isSandbox = given.isSet('sandbox')
    const result = await withStore(
      given.text('data'),
      (store) =>
        verb.run({ context: operatorContext(store, new Date(), isSandbox), given, operands: read.positionals }),
      // A wrong --data must not leave an empty store behind, except where something is to be made.
      { mayMake: name === 'create', isSandbox },
    )
    process.stdout.write(given.isSet('json') ? `${JSON.stringify(result)}\n` : shown(result))
  }
}

function givenOf(values: Values): Given {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return {
    text,
    needed(name) {
      const value = text(name)?.trim()
      if (!value) throw new CommandError(`--${name} is required. --help lists the options.`)
      return value
    },
    all: (name) => [values[name] ?? []].flat().map(String),
    isSet: (name) => values[name] === true,
  }
}
