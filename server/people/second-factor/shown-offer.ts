/** A new secret as its owner is shown it, once: as a picture for the app, and as text for those who cannot take one. */
import encodeQR from 'qr'
import { readable, uriOf } from './authenticator.ts'

export interface ShownOffer {
  /** Base32, in groups. */
  secret: string
  /** A QR code of the secret and what it is for: SVG, as a data URL. */
  picture: string
}

/** In modules: readers need this much that is empty around a code. */
const QUIET_ZONE = 4

export function shownOffer(secret: Uint8Array, email: string): ShownOffer {
  const svg = encodeQR(uriOf(secret, email), 'svg', { border: QUIET_ZONE, ecc: 'low' })
  return { secret: readable(secret), picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}
