/** The sandboxes of the teams that share one process, each on a port of its own. */
import type { ListedTeam } from '../../domain/team.ts'
import { call } from './api.ts'

/** Returns none where a sandbox shares its process with no other. */
export const teamsHere = (): Promise<ListedTeam[]> =>
  call<ListedTeam[]>('GET', '/sandbox/teams', undefined, { isUse: false })

/** @param path on the service at another port of the same host */
export function addressOf(port: number, path: string): string {
  const address = new URL(path, location.href)
  address.port = String(port)
  return address.href
}
