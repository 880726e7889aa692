/** The profile in the file of `--profile`. */
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { ProfileError } from '../../../lib/profile/profile-error.ts'
import { CommandError } from './command-error.ts'

/** @throws CommandError that names everything wrong */
export async function profileIn(file: string): Promise<HostProfile> {
  const { readProfile } = await import('../../../lib/profile/parse-profile.ts')
  return readProfile(file).catch((failure: unknown) => {
    throw failure instanceof ProfileError ? new CommandError(`--profile: ${failure.errors.join('; ')}`) : failure
  })
}
