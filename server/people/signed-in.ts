/** Where someone signs in from, and what a sign-in gives. Types only. */

export interface Origin {
  /** Network address. */
  address: string
  /** As an earlier sign-in gave it; null when there was none. */
  deviceId: string | null
}

export interface SignedIn {
  /** The id of a new session. */
  sessionId: string
  /** By which the device is known the next time. */
  deviceId: string
}
