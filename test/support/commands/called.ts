/**
 * Commands in the process of the tests: the code that a process of theirs runs, without what it takes to start one. Their signals,
 * and what their store reads of the environment by itself, are those of the tests: a test of that starts a process.
 */
import { Readable, Writable } from 'node:stream'
import type { Shell } from '../../../server/cli/command/command.ts'
import { run } from '../../../server/cli/run.ts'
import { overhear } from '../overheard.ts'
import { environmentWith, type Spoken, showsKeys } from '../service/served.ts'

/** Runs a command to its end, with `input` on its standard input, and resolves with what a process of its own would end with. */
export async function called(
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Spoken> {
  const [stdout, stderr] = [collecting(), collecting()]
  const shell: Shell = {
    argv: ['node', 'countersign', ...args],
    env: environmentWith(environment),
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    exit(code) {
      shell.exitCode = code
    },
  }
  await run(shell)
  const spoken = { code: Number(shell.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  overhear(spoken.stderr)
  if (!showsKeys(args)) overhear(spoken.stdout)
  return spoken
}

function collecting() {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  return { stream, text: () => text }
}
