/** Reads profiles: from a value, or from a JSON file. */
import { wrongValues } from '../contract/wrong-values.ts'
import { readNamedFile, whyUnread } from '../plain-file.ts'
import { HostProfile, type ProfileInput } from './host-profile.ts'
import { ProfileError, UNKNOWN_VALUE } from './profile-error.ts'

/**
 * Returns the profile with every value that was omitted.
 * @param written an object, or the text of a JSON file
 * @throws ProfileError that names everything wrong
 */
export function parseProfile(written: unknown): HostProfile {
  const value = typeof written === 'string' ? parsedJson(written) : written
  // Read once or twice: compiling the schema would take longer.
  const result = HostProfile.safeParse(value, { jitless: true })
  if (!result.success)
    throw new ProfileError(
      wrongValues(result.error, UNKNOWN_VALUE).map(({ path, right }) => `${path || 'profile'}: ${right}`),
    )
  complete.add(result.data)
  return result.data
}

/**
 * Returns the profile in a JSON file.
 * @throws ProfileError when the file cannot be read, or what is in it is wrong
 */
export async function readProfile(file: string): Promise<HostProfile> {
  return parseProfile(textOf(file))
}

function textOf(file: string): string {
  try {
    return readNamedFile(file).toString()
  } catch (failure) {
    throw new ProfileError([`the file ${whyUnread(failure as NodeJS.ErrnoException)}`])
  }
}

/** Profiles that were parsed: they have every value. */
const complete = new WeakSet<object>()
/** Those that callers wrote themselves, and pass with each call. */
const known = new WeakMap<object, HostProfile>()

/**
 * Returns the profile that a caller gave, completed; that of our own service when none was given.
 * @throws ProfileError that names everything wrong
 */
export function profileOf(given: ProfileInput | undefined): HostProfile {
  if (given === undefined) return defaultProfile
  if (complete.has(given)) return given as HostProfile
  const profile = known.get(given) ?? parseProfile(given)
  known.set(given, profile)
  return profile
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProfileError(['it is not JSON'])
  }
}

/** Our own service. */
export const defaultProfile: HostProfile = parseProfile({})
