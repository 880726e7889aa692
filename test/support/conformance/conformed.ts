/** The rules tried on a host, with a receiver of callbacks on this machine. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../../lib/clock.ts'
import { openReceiver } from '../../../lib/conform/callback-receiver.ts'
import { type Conformance, conform, type Finding } from '../../../lib/conform/conform.ts'
import { sendPlainly } from '../../../lib/conform/exchange.ts'
import { createHost } from '../../../lib/conform/host.ts'
import { rules } from '../../../lib/conform/rules/rules.ts'
import { createStage } from '../../../lib/conform/stage/stage.ts'
import { unhurried } from '../../../lib/conform/unhurried.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { SIGNER } from '../service/a-create-body.ts'

export interface Conformed {
  baseUrl: string
  key: string
  secondKey?: string
  profile?: unknown
}

export async function conformed({ baseUrl, key, secondKey, profile = {} }: Conformed): Promise<Conformance> {
  const receiver = await openReceiver({})
  const keys = { first: key, second: secondKey }
  const host = createHost({ baseUrl, keys, profile: parseProfile(profile), send: unhurried(sendPlainly, systemClock) })
  const options = {
    host,
    receiver,
    clock: systemClock,
    newId: randomUUID,
    signerNpi: SIGNER.calder,
    patienceMs: 20_000,
  }
  try {
    return await conform(host, createStage(options), rules)
  } finally {
    await receiver.stop()
  }
}

/** The rules that do not hold, each with what came instead. */
export const deviations = (findings: readonly Finding[]): string[] =>
  findings.filter(({ result }) => result === 'deviates').map(({ name, why }) => `${name}: ${why}`)

/** The names of the rules with this result. */
export const named = (findings: readonly Finding[], result: Finding['result']): string[] =>
  findings.filter((finding) => finding.result === result).map(({ name }) => name)
