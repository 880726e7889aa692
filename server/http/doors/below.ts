/** The first parts of the paths of each table, known without loading it. */
import type { HostProfile } from '../../../lib/profile/host-profile.ts'

export const below = {
  sender: ({ basePath }: Pick<HostProfile, 'basePath'>): readonly string[] =>
    basePath === '' ? ['api', 'health-check'] : [firstPartOf(basePath)],
  signer: ['inbox', 'verify'],
  operator: ['admin'],
  sandbox: ['sandbox'],
} as const

/** Returns the first part of a path, as routes compare it. */
export const firstPartOf = (path: string): string => path.split('/', 2)[1]?.toLowerCase() ?? ''
