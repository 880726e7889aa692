/** Says of settings that are wrong which options they came from. */
import type { WrongValue } from '../../../lib/contract/wrong-values.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { CommandError } from '../command/command-error.ts'

/** Those that are not named as their settings are. */
const OPTIONS: Readonly<Record<string, string>> = {
  requestsPerMinute: 'rate-limit',
  callbacksPerMinute: 'webhook-rate',
  retainDays: 'retain',
  allowWebhookTargets: 'allow-webhook-target',
  trustedProxies: 'trust-proxy',
  oidcClientSecret: 'oidc-client-secret-file',
  smtpPassword: 'smtp-password-file',
  documentsSecret: 'documents-secret-file',
  timestampPassword: 'timestamp-password-file',
  timestampHeader: 'timestamp-header-file',
}

const sentence = ({ path, right }: WrongValue) => {
  const [name = ''] = path.split(/[.[]/)
  return `--${OPTIONS[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${right}`
}

/** The failure in the words of the command line, where it is about settings. */
export const inOptions = (failure: unknown): unknown =>
  failure instanceof SettingsError ? new CommandError(failure.wrong.map(sentence).join('; ')) : failure
