/** A password from standard input. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Shell } from './command.ts'

/** The first line of standard input; nothing is echoed when a person types it. */
export async function passwordFromInput({ stdin, stderr }: Pick<Shell, 'stdin' | 'stderr'>): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isTyped = stdin.isTTY === true
  if (isTyped) stderr.write('Password: ')
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isTyped })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTyped) stderr.write('\n')
  }
}
