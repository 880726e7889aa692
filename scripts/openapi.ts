/** The description of the interface for programs, as a service without a host profile gives it: openapi.json. */
import { hostOpenapi } from '../lib/profile/host-openapi.ts'
import { profileOf } from '../lib/profile/parse-profile.ts'
import { version } from '../server/version.ts'

export const openapiText = (): string =>
  `${JSON.stringify(hostOpenapi({ version, profile: profileOf(undefined) }), null, 2)}\n`
