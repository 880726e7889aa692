/** Tries whether the embedded service can run as the settings say. Starts nothing and leaves nothing behind. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { checkAddress } from '../address/embedded-address.ts'
import { knownFailure } from '../runtime/failures.ts'
import type { ServiceNode } from '../service/connection.ts'
import type { Settings } from '../service/settings.ts'
import { speechOf } from '../service/speech.ts'
import { bad, good, type Row } from './row.ts'
import { tryKey } from './try-host.ts'

/** @param deployed the configuration node as it runs; null when it was not deployed yet */
export async function tryEmbedded(settings: Settings, deployed: ServiceNode | null): Promise<Row[]> {
  for (const check of [checkAddress, speechOf]) {
    try {
      check(settings)
    } catch (failure) {
      return [bad('settings', knownFailure(failure).message)]
    }
  }
  const running = await deployed?.connect().catch(() => null)
  const runsNow = deployed?.settings.embedded && running ? deployed.settings : null
  if (running && runsNow && isDeepStrictEqual(whereOf(runsNow), whereOf(settings)))
    return [good('port'), good('folder'), await tryKey(running.direct)]
  // The deploy that starts the service as it is typed stops it first as it runs now.
  const isOurs = runsNow !== null && runsNow.port === settings.port && runsNow.bindHost === settings.bindHost
  return [
    isOurs ? good('port') : await tryPort(settings),
    await tryFolder(settings.data),
    good('running', 'It starts with these settings when they are deployed.'),
  ]
}

const whereOf = ({ port, bindHost, data, seed, organization, profile }: Settings) => ({
  port,
  bindHost,
  data: resolve(data),
  seed,
  organization,
  profile,
})

function tryPort({ port, bindHost }: Settings): Promise<Row> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => settle(bad('port', cannotListen(code, port, bindHost))))
    probe.listen(port, bindHost, () => probe.close(() => settle(good('port'))))
  })
}

function cannotListen(code: string | undefined, port: number, bindHost: string): string {
  if (code === 'EADDRINUSE') return `Port (port): ${port} is in use. Choose another one, or 0 for a free one.`
  if (code === 'EACCES') return `Port (port): ${port} may not be used by this user. Choose one above 1023.`
  return `Bind address (bindHost): ${bindHost} is no address of this machine. Enter one, or 0.0.0.0 for all of them.`
}

/** The service makes its folder, so the nearest one that is there must let it. */
async function tryFolder(folder: string): Promise<Row> {
  const found = await stat(folder).catch(({ code }: NodeJS.ErrnoException) => code)
  if (found === 'ENOENT') return tryFolder(dirname(resolve(folder)))
  const mayWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (typeof found === 'object' && found.isDirectory() && mayWrite) return good('folder')
  return bad('folder', 'Folder (data): nothing can be written there. Choose a folder in which Node-RED may write.')
}
