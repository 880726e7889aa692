/** The options of the mail server that notices to signers go through. */
import { readFileSync } from 'node:fs'
import type { Command, Shell } from './command.ts'
import { CommandError } from './command-error.ts'

export const SMTP_PASSWORD_VARIABLE = 'COUNTERSIGN_SMTP_PASSWORD'

export interface GivenMail {
  smtpPasswordFile?: string | undefined
  smtpCa?: string | undefined
}

export const withMail = (command: Command): Command =>
  command
    .option('--smtp-url <URL>', 'mail server for notices to signers, smtp://user@host:587 or smtps:// (default: none)')
    .option(
      '--smtp-password-file <FILE>',
      `holds the password of the user at the mail server, instead of ${SMTP_PASSWORD_VARIABLE}`,
    )
    .option('--smtp-from <ADDRESS>', 'whom notices come from')
    .option('--smtp-tls <required|off>', 'whether smtp:// must be encrypted by STARTTLS (default: required)')
    .option('--smtp-ca <FILE>', 'PEM of the authorities that vouch for the mail server')
    .option('--notice-senders', 'name the organizations whose documents wait in notices')

/** Returns the settings that files and the environment hold. */
export const mailIn = ({ smtpPasswordFile, smtpCa }: GivenMail, env: Shell['env']) => ({
  smtpPassword: smtpPasswordFile ? textIn('smtp-password-file', smtpPasswordFile) : env[SMTP_PASSWORD_VARIABLE],
  smtpCa: smtpCa === undefined ? undefined : textIn('smtp-ca', smtpCa),
})

/** Without the line break that editors put at the end of a file. */
export function textIn(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new CommandError(`--${option}: this file cannot be read.`)
  }
}
