/** The door of a sandbox's control plane: the same keys as for the partner interface, without its rate and its faults. */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { SandboxContext } from '../../operations/sandbox/sandbox-context.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../callers/actor.ts'
import { authenticate } from '../callers/authenticate.ts'
import type { Door } from '../table-routes.ts'

export interface SandboxDoorParts extends Pick<SandboxContext, 'time' | 'faults' | 'reviewing'> {
  store: Store
  signing: Signing
  keyring: Keyring
  clock: Clock
  /** How the service speaks to senders. */
  profile: HostProfile
}

export function sandboxDoor({ keyring, clock, profile, ...parts }: SandboxDoorParts): Door<SandboxContext> {
  const known = [authenticate(keyring, clock, profile)]
  return {
    admit: () => known,
    contextOf: (req, res) => ({
      ...parts,
      organizationId: res.locals.caller!.organizationId,
      by: actorOf(req, res),
      at: timeOf(clock),
    }),
  }
}
