/** Where someone signs in from, and what a sign-in gives. Types only. */

export interface Origin {
  /** Network address. */
  address: string
  /** The device id of an earlier sign-in; null when there was none. */
  deviceId: string | null
}

export interface SignedIn {
  /** The id of a new session. */
  sessionId: string
  /** The id by which the device is known the next time. */
  deviceId: string
}
