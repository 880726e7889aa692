/** `countersign serve`: the service alone. One JSON line on stdout when it listens; logs on stderr. */
import type { Logger } from 'pino'
import { memoryAtRest } from '../../lib/at-rest.ts'
import { isServer } from '../domain/store-place.ts'
import { MASTER_KEY_VARIABLE, OLD_MASTER_KEYS_VARIABLE } from '../store/sealing/master-key.ts'
import { startThreadEarly } from '../store/sql/sqlite/start-thread.ts'
import { Command, type Shell } from './command/command.ts'
import { createLog, type GivenLevel, LOG_LEVEL_VARIABLE, withLogLevel } from './command/create-log.ts'
import { type GivenMail, mailIn, SMTP_PASSWORD_VARIABLE, textIn, withMail } from './command/mail-options.ts'
import { printLine } from './command/print-line.ts'
import { profileIn } from './command/profile-in.ts'
import {
  DOCUMENTS_SECRET_VARIABLE,
  documentsIn,
  type GivenDocuments,
  withDocuments,
} from './serving/documents-options.ts'
import { stopOnSignal } from './serving/stop-on-signal.ts'
import {
  type GivenTimestamps,
  TIMESTAMP_HEADER_VARIABLE,
  TIMESTAMP_PASSWORD_VARIABLE,
  timestampsIn,
  withTimestamps,
} from './serving/timestamp-options.ts'

const SEAL_PASSWORD_VARIABLE = 'COUNTERSIGN_SEAL_PASSWORD'
const OIDC_SECRET_VARIABLE = 'COUNTERSIGN_OIDC_CLIENT_SECRET'

/** Options whose names differ from those of the settings. The settings say what is wrong with values, all of it at once. */
interface Given extends GivenLevel, GivenMail, GivenTimestamps, GivenDocuments {
  data?: string
  rateLimit?: string
  webhookRate?: string
  retain?: string
  seed?: string
  allowWebhookTarget?: string[]
  trustProxy?: string[]
  oidcClientSecretFile?: string
  profile?: string
  replay?: string
  json?: boolean
}

const serving = new Command('serve')
  .option('--port <NUMBER>', 'port to listen on; 0 takes a free one (default: 8090)')
  .option('--host <ADDRESS>', 'address to listen on (default: 127.0.0.1)')
  .option('--data <DIR|:memory:|postgres://…>', 'where tasks and documents are kept (default: countersign-data)')
  .option('--store-connections <NUMBER>', 'connections to PostgreSQL at most (default: 10)')
  .option('--sandbox', 'test keys, scripted signers, /sandbox/v1')
  .option('--seed <demo>', 'demo organizations, signers, templates and two keys')
  .option(
    '--second-factor <nobody|staff|everybody>',
    'who must add a code to the password; staff are operators and administrators (default: nobody)',
  )
  .option(
    '--unsigned-pdf <off|view|download>',
    'what signers may do with a PDF before it is signed, besides looking at it in the inbox (default: off)',
  )
  .option('--patients-in-lists <full|initials|hidden>', 'how lists of the console show patients (default: initials)')
  .option(
    '--staff-documents <none|signed|all>',
    'which PDFs operators and administrators may open in the console (default: none)',
  )
  .option('--profile <FILE>', 'speak as the host of this profile, a JSON file (default: as the interface is worded)')
  .option('--replay <FOLDER>', 'answer only as the host did that countersign record recorded; keeps nothing')
  .option('--body-memory <MIB>', 'memory for documents that are being sent; what finds no room is 503 (default: 256)')
  .option('--rate-limit <NUMBER>', 'requests that each key may make per minute, at all instances (default: no limit)')
  .option(
    '--webhook-rate <NUMBER>',
    'callbacks that each receiver gets per minute from an instance (default: no limit)',
  )
  .option('--metrics-port <NUMBER>', 'hand out metrics for Prometheus there, under /metrics (default: nowhere)')
  .option(
    '--metrics-host <ADDRESS>',
    'address for --metrics-port; anyone who can reach it can read them (default: 127.0.0.1)',
  )
  .option(
    '--retain <DAYS>',
    'remove the document and patient of a task this many days after it finished (default: never)',
  )
  .option('--allow-http-webhooks', 'accept http:// receivers on this machine')
  .repeatable(
    '--allow-webhook-target <HOST|ADDRESS|CIDR>',
    'a receiver in a private network that may be called; may be given several times, *.example.org for all below',
  )
  .repeatable(
    '--trust-proxy <ADDRESS|CIDR>',
    'a proxy in front of the service, whose X-Forwarded-For names who calls; may be given several times',
  )
  .option(
    '--seal-p12 <FILE>',
    'certificate and key that seal the documents; without it the service makes its own, once',
  )
  .option('--certificate-patient <shown|omitted>', 'whether certificate pages name the patient (default: shown)')
  .option('--public-url <URL>', 'where people open the pages, as their browsers show it')
  .option('--oidc-issuer <URL>', 'single sign-on through this provider of OpenID Connect (default: none)')
  .option('--oidc-client-id <ID>', 'by which the provider knows this service')
  .option('--oidc-client-secret-file <FILE>', `holds the secret of the client, instead of ${OIDC_SECRET_VARIABLE}`)
  .option('--oidc-scopes <TEXT>', 'what the provider is asked for (default: "openid email")')
  .option('--oidc-name <TEXT>', 'how the sign-in page names the provider (default: its host)')
  .option('--oidc-trust-email', 'take every e-mail address that the provider gives for verified')
  .option('--passwords <on|unlinked|off>', 'who may sign in with one beside single sign-on (default: on)')

export const command = withLogLevel(withMail(withTimestamps(withDocuments(serving))))
  .option(
    '--new-documents <bucket|database>',
    'where new documents are put when there is --documents (default: bucket)',
  )
  .option('--json', 'print one line of JSON when it listens, as it does in any case')
  .addHelpText(
    'after',
    `
In the environment:
  ${MASTER_KEY_VARIABLE}       32 random bytes as Base64; seals what is stored.
                               Required without --sandbox.
  ${OLD_MASTER_KEYS_VARIABLE}  keys it had before, comma-separated: what they sealed
                               stays readable, new values are sealed with the current one
  ${SEAL_PASSWORD_VARIABLE}    password of the P12 file
  ${LOG_LEVEL_VARIABLE}        as --log-level
  ${OIDC_SECRET_VARIABLE}  secret of the client for single sign-on
  ${DOCUMENTS_SECRET_VARIABLE}  secret of the access key for the object storage
  ${SMTP_PASSWORD_VARIABLE}    password of the user at the mail server
  ${TIMESTAMP_PASSWORD_VARIABLE}  password of the user at the timestamp authority
  ${TIMESTAMP_HEADER_VARIABLE}  header for the timestamp authority, Name: value
  PGPASSWORD                   password for PostgreSQL; without it, the file that PGPASSFILE
                               names, or ~/.pgpass. Other users see one in --data.`,
  )
  .action((given: Given, { shell }: Command) => serve(given, shell))

async function serve(given: Given, shell: Shell): Promise<void> {
  if (given.replay !== undefined) {
    const { serveReplay } = await import('./recording/serve-replay.ts')
    return serveReplay(given, command, shell)
  }
  const {
    rateLimit: requestsPerMinute,
    webhookRate: callbacksPerMinute,
    retain: retainDays,
    allowWebhookTarget: allowWebhookTargets,
    trustProxy: trustedProxies,
    oidcClientSecretFile,
    smtpPasswordFile,
    smtpCa,
    timestampPasswordFile,
    timestampHeaderFile,
    timestampCa,
    documentsSecretFile,
    documentsCa,
    profile: profileFile,
    json: _,
    logLevel,
    ...others
  } = given
  const profile = profileFile === undefined ? undefined : await profileIn(profileFile)
  const all = {
    ...others,
    profile,
    requestsPerMinute,
    callbacksPerMinute,
    retainDays,
    allowWebhookTargets,
    trustedProxies,
    masterKey: shell.env[MASTER_KEY_VARIABLE],
    oldMasterKeys: shell.env[OLD_MASTER_KEYS_VARIABLE],
    sealPassword: shell.env[SEAL_PASSWORD_VARIABLE],
    oidcClientSecret: oidcClientSecretFile
      ? textIn('oidc-client-secret-file', oidcClientSecretFile)
      : shell.env[OIDC_SECRET_VARIABLE],
    ...mailIn({ smtpPasswordFile, smtpCa }, shell.env),
    ...documentsIn({ documentsSecretFile, documentsCa }, shell.env),
    ...timestampsIn({ timestampPasswordFile, timestampHeaderFile, timestampCa }, shell.env),
  }
  const settings = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

  // The service is loaded only now, so that help and wrong options are answered at once.
  const { checkSettings } = await import('./serving/check-settings.ts')
  checkSettings(settings)
  const logger = await createLog({ logLevel }, shell.env)
  if (!isServer(given.data ?? '')) startThreadEarly()
  const { createService } = await import('../index.ts')
  logWarnings(logger)
  const service = await createService({ ...settings, logger })
  await service.start()
  stopOnSignal(service, logger)
  if (given.seed !== undefined && service.apiKeys.length === 0) logger.info(SEEDED_BEFORE)
  const { baseUrl, mode, apiKeys, inboxUrl, metricsUrl } = service
  printLine(shell, { baseUrl, mode, apiKeys, inboxUrl, ...(metricsUrl && { metricsUrl }) })
  // What only the start needed.
  memoryAtRest(STARTED_MS).worked()
}

/** Has warnings of Node.js logged, which would otherwise be printed among the lines of the log as text. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, code }: Error & { code?: string }) =>
    log.warn({ warning: name, code }, message),
  )
}

/** Until what starts many things at once has come to rest. */
const STARTED_MS = 2_000

const SEEDED_BEFORE =
  'the demo is there already, and its keys are not shown again: countersign keys create makes another, countersign organizations list shows for whom'
