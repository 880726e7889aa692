/** How the host of a configuration node speaks, and what is checked before anything is sent there. */
import type * as z from 'zod'
import { operationsOf } from '../../../lib/profile/host-operations.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { defaultProfile, parseProfile } from '../../../lib/profile/parse-profile.ts'
import { ProfileError } from '../../../lib/profile/profile-error.ts'
import { NodeError } from '../runtime/failures.ts'

export interface Speech {
  profile: HostProfile
  /** Which of our own checks are errors, warnings or off. */
  checks: HostProfile['checks']
  /** The body of a create, as the host takes it. */
  createBody: z.ZodType
}

/** Without a profile the host is our own service, which would refuse it all the same. */
const ALL_ERRORS: HostProfile['checks'] = { coordinates: 'error', lengths: 'error', organization: 'error' }

/**
 * @param text the JSON of the profile; empty for our own service
 * @throws the NodeError BAD_PROFILE, which names everything that is wrong
 */
export function speechOf({ profile: text }: { profile: string }): Speech {
  const isOurs = text.trim() === ''
  const profile = isOurs ? defaultProfile : read(text)
  return { profile, checks: isOurs ? ALL_ERRORS : profile.checks, createBody: operationsOf(profile).createTask.body! }
}

function read(text: string): HostProfile {
  try {
    return parseProfile(text)
  } catch (failure) {
    if (!(failure instanceof ProfileError)) throw failure
    const advice = 'Open the signature service and correct it.'
    throw new NodeError(
      'BAD_PROFILE',
      `Host profile (profile): the host profile is wrong: ${failure.errors.join('; ')}. ${advice}`,
    )
  }
}
