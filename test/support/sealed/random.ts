/** Numbers that are the same in every run. */
export interface Random {
  /** A whole number from 0, below the bound. */
  below(bound: number): number
  bytes(count: number): Buffer
  /** One of these. */
  of<T>(items: readonly T[]): T
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
    of: (items) => items[below(items.length)]!,
  }
}
