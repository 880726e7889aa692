/** A service that is killed and started again with its data, behind a gateway that keeps its address. */
import { aFolder } from '../a-folder.ts'
import { aStoppingGateway } from '../network/a-stopping-gateway.ts'
import { aClient } from '../service/a-client.ts'
import { leasesEnd, serve } from '../service/served.ts'

export type KillableService = Awaited<ReturnType<typeof killableService>>

/** @param options further options of its command */
export async function killableService(...options: string[]) {
  const args = ['--sandbox', '--seed', 'demo', '--data', aFolder(), ...options]
  let served = await serve(args)
  const { key } = served.apiKeys[0]!
  const gateway = await aStoppingGateway(served.baseUrl)
  return {
    key,
    gateway,
    /** Goes through the gateway, as all callers do. */
    client: aClient({ baseUrl: gateway.baseUrl, apiKey: key }),
    /** Ends it in the middle of its work, and with it the calls that the gateway has stopped. */
    async kill() {
      await served.kill()
      gateway.cut()
    },
    /** Starts it again. What it was working on when it was killed goes on at once. */
    async start() {
      served = await serve(args)
      gateway.leadTo(served.baseUrl)
      await leasesEnd(served, key)
    },
    async stop() {
      await gateway.stop()
      await served.stop()
    },
  }
}
