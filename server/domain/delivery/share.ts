/**
 * How those who share a number of places stay fair without being counted beforehand: nobody holds more than is free. So the
 * first comer gets half of all places, the next half of the rest, and there is a place for the last comer. Pure.
 */

/** How many more of the `free` places may be taken by somebody who holds `held`. */
export const share = (free: number, held: number): number => Math.max(0, Math.ceil((free - held) / 2))
