/** `countersign serve`: the service alone. One JSON line on stdout when it listens; logs on stderr. */
import { pino } from 'pino'
import { ZodError } from 'zod'
import type { Service } from '../index.ts'
import { MASTER_KEY_VARIABLE, OLD_MASTER_KEYS_VARIABLE } from '../store/sealing/master-key.ts'
import { CommandError, options } from './command/command.ts'

const SEAL_PASSWORD_VARIABLE = 'COUNTERSIGN_SEAL_PASSWORD'

const HELP = `Usage: countersign serve [options]

  --port NUMBER           port to listen on; 0 takes a free one     (8090)
  --host ADDRESS          address to listen on                      (127.0.0.1)
  --data DIR|:memory:|postgres://…
                          where tasks and documents are kept        (countersign-data)
  --sandbox               test keys, scripted signers, /sandbox/v1
  --seed demo             demo organizations, signers, templates and two keys
  --rate-limit NUMBER     requests that each key may make per minute (no limit)
  --webhook-rate NUMBER   callbacks that each receiver gets per minute (no limit)
  --allow-http-webhooks   accept http:// receivers on this machine
  --allow-webhook-target HOST|ADDRESS|CIDR
                          a receiver in a private network that may be called;
                          may be given several times, *.example.org for all below
  --trust-proxy ADDRESS|CIDR
                          a proxy in front of the service, whose X-Forwarded-For
                          names who calls; may be given several times
  --seal-p12 FILE         certificate and key that seal the documents;
                          else the service makes its own once

  ${MASTER_KEY_VARIABLE}  32 random bytes as Base64; seals what is stored.
                          Required without --sandbox.
  ${OLD_MASTER_KEYS_VARIABLE}
                          keys it had before, comma-separated: what they sealed
                          stays readable, new values take the current key
  ${SEAL_PASSWORD_VARIABLE}
                          password of the P12 file
`

export async function run(args: readonly string[]): Promise<void> {
  const read = options(
    args,
    {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      seed: { type: 'string' },
      sandbox: { type: 'boolean' },
      'rate-limit': { type: 'string' },
      'webhook-rate': { type: 'string' },
      'seal-p12': { type: 'string' },
      'allow-http-webhooks': { type: 'boolean' },
      'allow-webhook-target': { type: 'string', multiple: true },
      'trust-proxy': { type: 'string', multiple: true },
    },
    HELP,
  )
  if (!read) return
  if (read.positionals.length > 0)
    throw new CommandError(`serve takes no ${read.positionals[0]}. --help lists the options.`)
  const {
    'allow-http-webhooks': allowHttpWebhooks,
    'allow-webhook-target': allowWebhookTargets,
    'rate-limit': requestsPerMinute,
    'webhook-rate': callbacksPerMinute,
    'seal-p12': sealP12,
    'trust-proxy': trustedProxies,
    ...values
  } = read.values
  const given = {
    ...{ ...values, allowHttpWebhooks, allowWebhookTargets, requestsPerMinute, callbacksPerMinute, sealP12 },
    trustedProxies,
    masterKey: process.env[MASTER_KEY_VARIABLE],
    oldMasterKeys: process.env[OLD_MASTER_KEYS_VARIABLE],
    sealPassword: process.env[SEAL_PASSWORD_VARIABLE],
  }
  const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

  // Loaded now, so that help and a wrong option are told at once.
  const { createService } = await import('../index.ts')
  const service = await createService({ ...settings, logger: pino({ base: null }, pino.destination(2)) }).catch(
    (failure: unknown) => {
      throw failure instanceof ZodError ? new CommandError(failure.issues.map(sentence).join('; ')) : failure
    },
  )
  await service.start()
  stopOnSignal(service)
  const { baseUrl, mode, apiKeys, inboxUrl } = service
  process.stdout.write(`${JSON.stringify({ baseUrl, mode, apiKeys, inboxUrl })}\n`)
}

const OPTIONS: Readonly<Record<string, string>> = {
  requestsPerMinute: 'rate-limit',
  callbacksPerMinute: 'webhook-rate',
  allowHttpWebhooks: 'allow-http-webhooks',
  allowWebhookTargets: 'allow-webhook-target',
  sealP12: 'seal-p12',
  trustedProxies: 'trust-proxy',
}
const sentence = ({ path: [name = ''], message }: { path: PropertyKey[]; message: string }) =>
  `--${OPTIONS[String(name)] ?? String(name)}: ${message}`

function stopOnSignal(service: Service): void {
  let isStopping = false
  const stop = async () => {
    // A second signal does not wait.
    if (isStopping) process.exit(1)
    isStopping = true
    await service.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
