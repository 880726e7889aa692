/**
 * Shares places fairly among any number of holders: none holds more than are free. So the first gets half of all places, the
 * next half of the rest, and there is always a place for a newcomer. Pure.
 */

/** How many more of the `free` places may be taken by a holder who has `held`. */
export const share = (free: number, held: number): number => Math.max(0, Math.ceil((free - held) / 2))
