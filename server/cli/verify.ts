/** `countersign verify`: is a PDF as it was signed? Reads the file and nothing else; exit code 0 when it is valid, else 1. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type SignatureVerdict, verifySealed } from '../pdf/verify.ts'
import { CommandError, options } from './command.ts'

const HELP = `Usage: countersign verify FILE [options]

  --certificate PEM   the certificate that should have sealed the document
  --json              the whole verdict as one line of JSON

  Exit code: 0 the document is valid, 1 it is not, 2 it could not be read.
`

export async function run(args: readonly string[]): Promise<void> {
  const read = options(args, { certificate: { type: 'string' }, json: { type: 'boolean' } }, HELP)
  if (!read) return
  const [file, ...rest] = read.positionals
  if (!file || rest.length > 0) throw new CommandError('verify takes one file. --help lists the options.')
  const certificate = read.values.certificate && pemOf(await contentOf(read.values.certificate))
  const verdict = verifySealed(await contentOf(file), certificate || undefined)
  const { valid, summary, signatures, findings } = verdict
  const lines = [valid ? 'valid' : 'NOT VALID', summary, ...signatures.flatMap(linesOf), ...findings]
  process.stdout.write(read.values.json ? `${JSON.stringify(verdict)}\n` : `${lines.join('\n')}\n`)
  process.exitCode = valid ? 0 : 1
}

function linesOf(signature: SignatureVerdict, index: number): string[] {
  const { state, by, signedAt, coversWholeDocument, changedAfterSigning, findings } = signature
  return [
    `signature ${index + 1}: ${state}`,
    `  by                     ${by ?? 'cannot be read'}`,
    `  at                     ${signedAt ?? 'not stated'}`,
    `  whole document signed  ${coversWholeDocument ? 'yes' : 'no'}`,
    `  changed after signing  ${changedAfterSigning ? 'yes' : 'no'}`,
    ...findings.map((finding) => `  ${finding}`),
  ]
}

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${failure.code}).`)
  })

function pemOf(content: Buffer): string {
  try {
    return new X509Certificate(content).toString()
  } catch {
    throw new CommandError('--certificate: not a certificate; give a PEM or DER file.')
  }
}
