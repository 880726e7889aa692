/** Random numbers of a sandbox, the same ones after each start, so that a demonstration and a test can be repeated. */

export interface RepeatableRandom {
  /** Returns a number from 0 to 1. */
  next(): number
  /** Begins the sequence again. */
  startOver(): void
}

const SEED = 0x5eed

/** Mulberry32: spreads well, and is nothing to make secrets from. */
export function createRepeatableRandom(): RepeatableRandom {
  let state = SEED
  return {
    next() {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    },
    startOver() {
      state = SEED
    },
  }
}
