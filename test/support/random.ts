/** Numbers that look random and are the same in every run with the same seed. */
export interface Random {
  /** A whole number from 0, below the bound. */
  below(bound: number): number
  bytes(count: number): Buffer
  pick<T>(items: readonly T[]): T
  /** Returns that many of the items, each once, in their order. */
  some<T>(items: readonly T[], count: number): T[]
  /** True in this share of the cases, a half when left out. */
  isSo(share?: number): boolean
}

export function randomFrom(seed: number): Random {
  const next = mulberry32(seed)
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
    pick: (items) => items[below(items.length)]!,
    some(items, count) {
      const left = items.map((_, index) => index)
      const chosen = Array.from({ length: Math.min(count, items.length) }, () => left.splice(below(left.length), 1)[0]!)
      return chosen.sort((a, b) => a - b).map((index) => items[index]!)
    },
    isSo: (share = 0.5) => next() < share,
  }
}

/** Numbers from 0, below 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
