/** The header of the key, and how a host refuses keys and ids. */
import { DOCUMENT_TYPES, type Host, TASKS } from '../host.ts'
import { UNKNOWN_ID } from '../rules/states.ts'
import { type Learnt, seen, untold } from './learnt.ts'

/** Returns the names that a header of the key usually has, those of a brand after the neutral ones. Pure. */
export function keyHeadersOf(brands: readonly string[]): string[] {
  const branded = brands.flatMap((brand) => [
    `X-${brand}-Key`,
    `X-${brand}-Api-Key`,
    `X-${brand}-ApiKey`,
    `${brand}-Api-Key`,
  ])
  return ['x-api-key', 'api-key', 'apikey', 'X-Auth-Key', ...branded]
}

/** Leaves the header in the profile of the host. */
export async function learnKeyHeader(host: Host, brands: readonly string[]): Promise<Learnt> {
  const given = host.profile
  for (const apiKeyHeader of new Set([given.apiKeyHeader, ...keyHeadersOf(brands)])) {
    host.profile = { ...given, apiKeyHeader }
    const { status } = await host.get(DOCUMENT_TYPES)
    if (status !== 401 && status !== 403) return seen('apiKeyHeader', apiKeyHeader, 'the key is accepted in it')
  }
  host.profile = given
  return untold('apiKeyHeader', 'the key is refused in every usual header; name it in --profile')
}

export async function learnRefusals(host: Host): Promise<Learnt[]> {
  const wrongKey = (await host.get(DOCUMENT_TYPES, { as: 'wrong' })).status
  const unknownId = (await host.delete(`${TASKS}/${UNKNOWN_ID}`)).status
  return [
    wrongKey === 401 || wrongKey === 403
      ? seen('refusals.wrongKey', wrongKey, 'a wrong key')
      : untold('refusals.wrongKey', `a wrong key is answered ${wrongKey}`),
    unknownId === 400 || unknownId === 404
      ? seen('refusals.unknownId', unknownId, 'a retract of an unknown task')
      : untold('refusals.unknownId', `a retract of an unknown task is answered ${unknownId}`),
  ]
}
