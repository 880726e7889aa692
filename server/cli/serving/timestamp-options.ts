/** The options of the authority that gives timestamps to seals. */
import type { Command, Shell } from '../command/command.ts'
import { textIn } from '../command/mail-options.ts'

export const TIMESTAMP_PASSWORD_VARIABLE = 'COUNTERSIGN_TIMESTAMP_PASSWORD'
export const TIMESTAMP_HEADER_VARIABLE = 'COUNTERSIGN_TIMESTAMP_HEADER'

export interface GivenTimestamps {
  timestampPasswordFile?: string | undefined
  timestampHeaderFile?: string | undefined
  timestampCa?: string | undefined
}

export const withTimestamps = (command: Command): Command =>
  command
    .option('--timestamp-url <URL>', 'authority that gives a timestamp to each seal, by RFC 3161 (default: none)')
    .option(
      '--timestamp-rule <required|ifAvailable>',
      'whether a document is signed while the authority gives no timestamp (default: required)',
    )
    .option('--timestamp-timeout <SECONDS>', 'how long a signature waits for the authority (default: 10)')
    .option(
      '--timestamp-password-file <FILE>',
      `holds the password of the user in the URL, instead of ${TIMESTAMP_PASSWORD_VARIABLE}`,
    )
    .option(
      '--timestamp-header-file <FILE>',
      `holds a header for the authority, "Name: value", instead of ${TIMESTAMP_HEADER_VARIABLE}`,
    )
    .option('--timestamp-ca <FILE>', 'PEM of those that vouch for the authority (default: those that Node.js trusts)')

/** Returns the settings that files and the environment hold. */
export const timestampsIn = (
  { timestampPasswordFile, timestampHeaderFile, timestampCa }: GivenTimestamps,
  env: Shell['env'],
) => ({
  timestampPassword: timestampPasswordFile
    ? textIn('timestamp-password-file', timestampPasswordFile)
    : env[TIMESTAMP_PASSWORD_VARIABLE],
  timestampHeader: timestampHeaderFile
    ? textIn('timestamp-header-file', timestampHeaderFile)
    : env[TIMESTAMP_HEADER_VARIABLE],
  timestampCa: timestampCa === undefined ? undefined : textIn('timestamp-ca', timestampCa),
})
