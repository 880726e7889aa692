/** Numbers that look random and come again with the same seed. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  whole(below: number): number
  pick<T>(items: readonly T[]): T
  isSo(share?: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const whole = (below: number) => Math.floor(next() * below)
  return { whole, pick: (items) => items[whole(items.length)]!, isSo: (share = 0.5) => next() < share }
}
