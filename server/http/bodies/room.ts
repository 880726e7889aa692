/** Room that many take from and give back, such as memory or places in a queue: a total, and what one of them may have of it. */

export interface RoomSize {
  total: number
  /** For each name. */
  each: number
}

export interface Room {
  /** Gives the room back when called, once. Null when there is none left, for this name or at all. */
  take(name: string, amount: number): (() => void) | null
}

export function createRoom({ total, each }: RoomSize): Room {
  const taken = new Map<string, number>()
  let takenByAll = 0
  const change = (name: string, amount: number) => {
    const sum = (taken.get(name) ?? 0) + amount
    takenByAll += amount
    if (sum === 0) taken.delete(name)
    else taken.set(name, sum)
  }
  return {
    take(name, amount) {
      if (takenByAll + amount > total || (taken.get(name) ?? 0) + amount > each) return null
      change(name, amount)
      let isHeld = true
      return () => {
        if (isHeld) change(name, -amount)
        isHeld = false
      }
    },
  }
}
