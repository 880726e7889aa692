/** Rules of health, keys and version. */
import { DOCUMENT_TYPES, HEALTH } from '../host.ts'
import { expectAccepted, expectStatus } from '../judge.ts'
import { rulesOf } from '../rule.ts'

export const access = rulesOf('Access', [
  [
    'the health check needs no key',
    'Endpoints › Health',
    async (host) => expectStatus(await host.get(HEALTH, { as: 'none' }), 200),
  ],
  ['the key is accepted', 'Authentication', async (host) => expectAccepted(await host.get(DOCUMENT_TYPES))],
  [
    'a missing key is refused',
    'Authentication',
    async (host) => expectStatus(await host.get(DOCUMENT_TYPES, { as: 'none' }), 401, 403),
  ],
  [
    'a wrong key is refused',
    'Authentication',
    async (host) => expectStatus(await host.get(DOCUMENT_TYPES, { as: 'wrong' }), 401, 403),
  ],
])
