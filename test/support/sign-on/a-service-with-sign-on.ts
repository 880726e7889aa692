/** A production service with single sign-on, on a folder of its own, with accounts of the test. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceOptions } from '../../../server/index.ts'
import type { NewAccount } from '../../../server/operations/operator/accounts/add-person.ts'
import { openStore } from '../../../server/store/store.ts'
import { freePort } from '../network/free-port.ts'
import { aService } from '../service/a-service.ts'
import { anAccount } from '../service/an-account.ts'

export const PASSWORD = 'correct horse battery staple'
export const CLIENT = { id: 'countersign', secret: 'a secret of the client, made up for the test' }

const MASTER_KEY = Buffer.alloc(32, 7)

export const callbackOf = (baseUrl: string) => `${baseUrl}/account/sign-on`

export type ServiceWithSignOn = Awaited<ReturnType<typeof aServiceWithSignOn>>

export interface WithSignOn {
  port: number
  issuer: string
  accounts: readonly Omit<NewAccount, 'password'>[]
  options?: ServiceOptions
}

/** The service, its store beside it, and further instances on the same data. */
export async function aServiceWithSignOn({ port, issuer, accounts, options = {} }: WithSignOn) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const baseUrl = `http://127.0.0.1:${port}`
  const production: ServiceOptions = {
    data: folder,
    masterKey: MASTER_KEY.toString('base64'),
    sandbox: false,
    port,
    publicUrl: baseUrl,
    oidcIssuer: issuer,
    oidcClientId: CLIENT.id,
    oidcClientSecret: CLIENT.secret,
    oidcName: 'Lakeside Health',
    ...options,
  }
  const service = await aService(production)
  const store = await openStore(folder, MASTER_KEY)
  const ids = new Map<string, number>()
  for (const account of accounts) {
    const id = await anAccount(store, { ...account, password: PASSWORD })
    ids.set(account.email, id)
  }
  return {
    ...service,
    folder,
    store,
    idOf: (email: string) => ids.get(email)!,
    /** Another instance on the same data, behind the same public URL. */
    anotherInstance: async (more: ServiceOptions = {}) => aService({ ...production, port: await freePort(), ...more }),
    /** Of the audit log: what was done, with what outcome, to whom. */
    async audited() {
      const rows = []
      for await (const { action, outcome, subject } of store.audit.rows()) rows.push(`${action} ${outcome} ${subject}`)
      return rows
    },
    async stop() {
      await store.close()
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
