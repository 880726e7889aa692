/** Knows again the devices on which people have signed in, so that no guess from elsewhere slows them down there. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { DEVICE_LIFE_MS } from '../choices.ts'
import type { Store } from '../store/store.ts'
import { digestOf } from './session-digest.ts'

export interface KnownDevices {
  /** Returns who signed in on the device before, and the digest of its id; null without an id. */
  recognise(deviceId: string | null): Promise<{ digest: string | null; knownTo: readonly number[] }>
  /** Remembers that the person signed in on the device. Returns the id by which it is known the next time. */
  remember(deviceId: string | null, personId: number): Promise<string>
}

interface KnownDevicesParts {
  store: Pick<Store, 'devices'>
  clock: Clock
  random(bytes: number): Uint8Array
}

const DEVICE_BYTES = 32

export function knownDevices({ store, clock, random }: KnownDevicesParts): KnownDevices {
  const recognise: KnownDevices['recognise'] = async (deviceId) => {
    const digest = deviceId === null ? null : digestOf(deviceId)
    return { digest, knownTo: digest === null ? [] : await store.devices.peopleOf(digest, timeOf(clock)) }
  }
  return {
    recognise,
    async remember(deviceId, personId) {
      // An id that we did not give may have been planted.
      const isOurs = (await recognise(deviceId)).knownTo.length > 0
      const kept = deviceId !== null && isOurs ? deviceId : Buffer.from(random(DEVICE_BYTES)).toString('base64url')
      await store.devices.remember(digestOf(kept), personId, new Date(clock.now() + DEVICE_LIFE_MS))
      return kept
    },
  }
}
