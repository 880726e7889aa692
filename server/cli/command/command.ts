/** The class of all commands: commander's, with one way to say what is wrong with a call. */
import * as commander from 'commander'
import { CommandError } from './command-error.ts'

/** The parts of its process that a command uses; `process` is one. */
export interface Shell {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { columns?: number }
  readonly stderr: NodeJS.WritableStream
  exitCode?: number | string | null | undefined
  /** Ends the process, whatever is still under way. */
  exit(code: number): void
}

export class Command extends commander.Command {
  readonly #shell: Shell | undefined

  /** @param shell of the program alone: its commands have it from there */
  constructor(name?: string, shell?: Shell) {
    super(name)
    this.#shell = shell
    this.exitOverride()
      .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 })
      .configureOutput({
        writeOut: (text) => void this.shell.stdout.write(text),
        writeErr: (text) => void this.shell.stderr.write(text),
        getOutHelpWidth: () => this.shell.stdout.columns as number,
      })
  }

  /** To be read while the command is called: the same command may be called again, in another one. */
  get shell(): Shell {
    return this.#shell ?? (this.parent as Command).shell
  }

  override createCommand(name?: string): Command {
    return new Command(name)
  }

  /** An option that may be given several times; its value is an array, in the order given. */
  repeatable(flags: string, description: string): this {
    return this.option(flags, description, (value: string, earlier: string[] = []) => [...earlier, value])
  }

  /** An option that must be given and not be blank; its value is trimmed. */
  needs(flags: string, description: string): this {
    const option = this.createOption(flags, `${description}; required`).makeOptionMandatory()
    return this.addOption(option.argParser((value) => value.trim() || fail(isRequired(flags))))
  }

  /** Refuses an option as the value of another one: `--data --json` would otherwise mean a folder of that name. */
  override parseOptions(args: string[]): commander.ParseOptionsResult {
    const end = args.indexOf('--')
    for (const [index, arg] of args.slice(0, end < 0 ? undefined : end).entries()) {
      const option = this.options.find((known) => known.required && known.long === arg)
      if (option && args[index + 1]?.startsWith('-')) this.error(`error: option '${option.flags}' argument missing`)
    }
    return super.parseOptions(args)
  }

  /** Asking for help gets an answer; a command without its verb is called wrongly. */
  override help(context?: commander.HelpContext | ((text: string) => string)): never {
    if (this.parent && typeof context === 'object' && context.error) fail(takesOneOf(this))
    return super.help(context as commander.HelpContext)
  }

  override error(message: string, { code }: commander.ErrorOptions = {}): never {
    return fail(sentence(this, message, code))
  }
}

/** Says what commander's message says, but repeats no value: it may be a password. */
function sentence(command: Command, message: string, code: string | undefined): string {
  const [, hint = ''] = /\n\((Did you mean .*\?)\)$/.exec(message) ?? []
  const [, flag = ''] = /'(--[\w-]+|-\w)/.exec(message) ?? []
  switch (code) {
    case 'commander.unknownCommand':
      return command.parent
        ? takesOneOf(command)
        : `${joined(`There is no command ${command.args[0]}.`, hint)} ${namesOf(command)} exist.`
    case 'commander.unknownOption': {
      const isKnown = [command, command.parent].some((one) => one?.options.some(({ long }) => long === flag))
      return `${isKnown ? `Option '${flag}' takes no value.` : joined(`Unknown option '${flag}'.`, hint)} ${SEE_HELP}`
    }
    case 'commander.missingMandatoryOptionValue':
      return isRequired(flag)
    case 'commander.missingArgument':
    case 'commander.excessArguments':
      return `Usage: ${callOf(command)}. ${SEE_HELP}`
    default:
      return `${message.replace(/^error: o/, 'O')}. ${SEE_HELP}`
  }
}

const SEE_HELP = '--help lists the options.'

const joined = (...sentences: string[]) => sentences.filter(Boolean).join(' ')
const isRequired = (flags: string) => `${flags.split(' ')[0]} is required. ${SEE_HELP}`
const namesOf = ({ commands }: commander.Command) => commands.map((one) => one.name()).join(', ')

function takesOneOf(command: commander.Command): string {
  const [what, whom] = command.commands.length === 1 ? ['', 'it'] : ['one of ', 'them']
  return `${command.name()} takes ${what}${namesOf(command)}. --help explains ${whom}.`
}

/** `countersign keys revoke KEY-ID` */
function callOf(command: commander.Command): string {
  const names: string[] = command.registeredArguments.map((argument) => argument.name())
  for (let one: commander.Command | null = command; one; one = one.parent) names.unshift(one.name())
  return names.join(' ')
}

function fail(message: string): never {
  throw new CommandError(message)
}
