/** `countersign verify`: is a PDF as it was signed? Reads the file and the certificates to check it against; writes nothing. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { certificatesIn } from '../../lib/pdf/seal/pem.ts'
import type { Outcome, SignatureVerdict, Verdict } from '../../lib/pdf/seal/verify.ts'
import { certificatesOf } from '../signing/seal-certificates.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { withStore } from './command/with-store.ts'
import { someSettings } from './settings/given-settings.ts'

interface Given {
  certificate?: string
  data?: string
  timestampCa?: string
  details?: boolean
  json?: boolean
}

export const command = new Command('verify')
  .argument('<FILE>')
  .option(
    '--certificate <FILE>',
    'certificates, one of which should have sealed the document (countersign certificate export)',
  )
  .option('--data <DIR|postgres://…>', 'take those of the service with this store')
  .option(
    '--timestamp-ca <FILE>',
    'those that vouch for the authority of timestamps (default: those that Node.js trusts)',
  )
  .option('--details', 'every signature, and whose it says it is')
  .option('--json', 'the whole verdict as one line of JSON')
  .addHelpText(
    'after',
    `
Without certificates nothing is valid: the signer's name is not verified.

Exit code: 0 valid: sealed with one of the certificates, and not changed since
           1 not valid: changed, damaged, not signed, or not a PDF
           2 unknown: signed by an unknown signer, or in a way that is not
             checked, or the file or a certificate cannot be read`,
  )
  .action((file: string, given: Given, { shell }: Command) => verify(file, given, shell))

const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  valid: 0,
  changed: 1,
  damaged: 1,
  notSigned: 1,
  notPdf: 1,
  signedByUnknown: 2,
  uncheckable: 2,
}

async function verify(
  file: string,
  { certificate, data, timestampCa, details = false, json = false }: Given,
  shell: Shell,
): Promise<void> {
  const given = certificate === undefined ? '' : pemOf('certificate', await contentOf(certificate))
  const kept = data === undefined ? '' : await keptIn(data, shell)
  const authorities = timestampCa === undefined ? '' : pemOf('timestamp-ca', await contentOf(timestampCa))
  const content = await contentOf(file)
  // Loaded only now, so that help and wrong options are answered at once.
  const { verifySealed } = await import('../../lib/pdf/seal/verify.ts')
  const verdict = verifySealed(content, given + kept, { authorities, now: new Date() })
  if (json) printLine(shell, verdict)
  else shell.stdout.write(`${linesOf(verdict, details).join('\n')}\n`)
  shell.exitCode = EXIT_CODES[verdict.outcome]
}

function linesOf({ headline, summary, signatures, findings }: Verdict, details: boolean): string[] {
  return details ? [headline, summary, ...signatures.flatMap(signatureLines), ...findings] : [headline, summary]
}

function signatureLines(signature: SignatureVerdict, index: number): string[] {
  const { state, by, isPinned, signedAt, timestamp, coversWholeDocument, changedAfterSigning, findings } = signature
  return [
    `signature ${index + 1}: ${state}`,
    `  by                     ${by ?? 'cannot be read'}`,
    `  expected certificate   ${isPinned === null ? 'none was given' : yesOrNo(isPinned)}`,
    `  at                     ${signedAt ?? 'not stated'}`,
    `  timestamp              ${timestamp ? `${timestamp.at}, by ${timestamp.authority}` : 'none'}`,
    `  whole document signed  ${yesOrNo(coversWholeDocument)}`,
    `  changed after signing  ${yesOrNo(changedAfterSigning)}`,
    ...findings.map((finding) => `  ${finding}`),
  ]
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${failure.code}).`)
  })

const OF_STORE = ['sandbox', 'masterKey', 'oldMasterKeys'] as const

const keptIn = (data: string, shell: Shell): Promise<string> =>
  withStore({ ...someSettings(OF_STORE, {}, shell.env).settings, data, dataName: '--data' }, certificatesOf, {
    shell,
  }).catch((error: Error) => {
    throw new CommandError(error.message)
  })

/** A file in DER holds one certificate, one in PEM may hold several. */
function pemOf(option: string, content: Buffer): string {
  const blocks = certificatesIn(content.toString('latin1'))
  try {
    return (blocks.length > 0 ? blocks : [content]).map((one) => new X509Certificate(one).toString()).join('')
  } catch {
    throw new CommandError(`--${option}: not a certificate; give a PEM or DER file.`)
  }
}
