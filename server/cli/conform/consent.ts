/** Asks the person at the terminal before anything is created at a host. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'

/** @throws CommandError when the answer is no, and when no one is there to be asked */
export async function mayCreate(baseUrl: string, isYes: boolean, { stdin, stderr }: Shell): Promise<void> {
  if (isYes) return
  if (stdin.isTTY !== true)
    throw new CommandError('It creates tasks and subscriptions at the host. Pass --yes where no one can be asked.')
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    const question = `Create about a dozen tasks at ${new URL(baseUrl).origin}, and withdraw them again? [y/N] `
    // Ctrl+C rejects the question, Ctrl+D leaves it open: both are a no.
    const answered = terminal.question(question).catch(() => '')
    const answer = await Promise.race([answered, once(terminal, 'close').then(() => '')])
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was created.')
  } finally {
    terminal.close()
  }
}
