/** A password from standard input. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** The first line of standard input; nothing is echoed when a person types it. */
export async function passwordFromInput(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isTyped = process.stdin.isTTY === true
  if (isTyped) process.stderr.write('Password: ')
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTyped })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTyped) process.stderr.write('\n')
  }
}
