/** Plans what goes wrong for the own organization, shows it, and takes it back. */
import { Refusal } from '../domain/refusal.ts'
import { parse } from '../http/parse.ts'
import { Fault } from './fault.ts'
import type { Faults } from './faults.ts'
import type { SandboxApi } from './sandbox-api.ts'

export function faultRoutes({ serve }: SandboxApi, faults: Faults): void {
  serve('post', '/faults', ({ organizationId, body }) => faults.add(organizationId, parse(Fault, body)))
  serve('get', '/faults', ({ organizationId }) => faults.list(organizationId))
  serve('delete', '/faults', ({ organizationId }) => faults.clear(organizationId))
  serve('delete', '/faults/:id', ({ organizationId, id }) => {
    if (!faults.remove(organizationId, id)) throw new Refusal('notFound', `There is no fault ${id} for this key.`)
  })
}
