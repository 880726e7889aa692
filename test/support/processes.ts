/** Processes that tests start. All that they print is overheard; no test starts one in another way. */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { overhear, overhearing } from './overheard.ts'

export interface Starting {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Whom it runs as, where this process is root's. */
  user?: { uid: number; gid: number } | undefined
  /** True for a command that shows an API key on its standard output, which is its purpose. */
  showsKeys?: boolean
}

/** A program of Node in a process of its own, with pipes to it and from it. */
export function started(args: readonly string[], { cwd, env, showsKeys }: Starting = {}): ChildProcess {
  const child = spawn(process.execPath, args, { ...(cwd && { cwd }), ...(env && { env }) })
  return listenedTo(child, showsKeys)
}

/** Any program in a process of its own. */
export function startedProgram(program: string, args: readonly string[], { showsKeys }: Starting = {}): ChildProcess {
  return listenedTo(spawn(program, args), showsKeys)
}

/** The same as `started`, with a channel for messages. A message's `said` is overheard too: what its process said without printing it. */
export function forked(file: string, args: readonly string[], { cwd, env, user }: Starting = {}): ChildProcess {
  const child = fork(file, args, { silent: true, ...user, ...(cwd && { cwd }), ...(env && { env }) })
  child.on('message', ({ said }: { said?: string }) => {
    if (said !== undefined) overhear(said)
  })
  return listenedTo(child)
}

export interface Ran {
  /** Null when a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

/** A program of Node from beginning to end. */
export const ran = (args: readonly string[], starting: Starting = {}): Promise<Ran> =>
  ranProgram(process.execPath, args, starting)

/** Any program from beginning to end. */
export const ranProgram = (
  program: string,
  args: readonly string[],
  { cwd, env, showsKeys }: Starting = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { ...(cwd && { cwd }), ...(env && { env }) },
      (_failure, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
    listenedTo(child, showsKeys)
  })

function listenedTo(child: ChildProcess, showsKeys = false): ChildProcess {
  for (const stream of [child.stderr, ...(showsKeys ? [] : [child.stdout])]) {
    const hear = overhearing()
    stream?.on('data', (chunk: Buffer | string) => hear(String(chunk)))
  }
  return child
}

/** A program of Node at a terminal: what is written to it is typed, and `stdout` has all that the terminal shows. */
export function atATerminal(args: readonly string[], { env }: Pick<Starting, 'env'> = {}): ChildProcess {
  const command = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  // With exec, no shell stands between: Ctrl+C would end it, too, and the exit code would be the shell's.
  return listenedTo(spawn('script', ['-qefc', `exec ${command}`, '/dev/null'], { ...(env && { env }) }))
}
