/** Several processes of the built service on one new database. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type SoakedService, startService } from '../../../scripts/soak/service.ts'
import { createSender, type Sender } from '../../support/load/sender.ts'

export interface Fleet {
  /** URL of the database. */
  data: string
  masterKey: Uint8Array
  /** Asks the processes in turn. */
  sender: Sender
  /** A connection of its own to the database, to look at it from outside. */
  look: pg.Client
  /** Ids of the processes of the service. */
  pids: readonly number[]
  /** Throws when a process has logged an error or has not ended well. */
  stop(): Promise<void>
}

/** @param connections of each process to the database, at most */
export async function startFleet(data: string, processes: number, connections: number): Promise<Fleet> {
  const masterKey = randomBytes(32)
  const environment = { COUNTERSIGN_MASTER_KEY: masterKey.toString('base64') }
  const args = ['--store-connections', String(connections)]
  const services: SoakedService[] = []
  // One after the other: the first makes the tables and the demo.
  while (services.length < processes) services.push(await startService(data, { args, environment }))
  const sender = createSender({ baseUrls: services.map(({ baseUrl }) => baseUrl), key: services[0]!.keys[0]! })
  const look = new pg.Client({ connectionString: data })
  // When a run fails, the server ends before this connection does.
  look.on('error', () => {})
  await look.connect()
  return {
    data,
    masterKey,
    sender,
    look,
    pids: services.map(({ pid }) => pid),
    async stop() {
      sender.close()
      await look.end()
      const codes = await Promise.all(services.map((service) => service.stop()))
      const faults = services.flatMap((service) => service.faults())
      if (faults.length > 0) throw new Error(`The service logged ${faults.join(', ')}`)
      if (codes.some((code) => code !== 0)) throw new Error(`The processes ended with ${codes.join(', ')}`)
    },
  }
}
