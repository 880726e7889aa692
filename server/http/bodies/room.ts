/** Room that many take and give back, such as memory or places in a queue: a total, and a share that none may exceed. */

export interface RoomSize {
  total: number
  /** The share of the total that one name may have. */
  each: number
}

/** Where takers were refused that still hold most of what they may. */
export interface Crowding {
  /** Whether there was no room left in all. */
  isFull: boolean
  /** The number of shares that were used up. */
  crowds: number
}

export interface Room {
  /** Returns a function that gives the room back; null when there is none left, for this name or in all. */
  take(name: string, amount: number): (() => void) | null
  crowding(): Crowding
}

/** Crowding ends when no more than this part of the room is taken, so that it does not come and go with each taker. */
const CALM = 0.75

export function createRoom({ total, each }: RoomSize): Room {
  const taken = new Map<string, number>()
  const crowded = new Set<string>()
  let takenByAll = 0
  let isFull = false
  const change = (name: string, amount: number) => {
    const sum = (taken.get(name) ?? 0) + amount
    takenByAll += amount
    if (sum === 0) taken.delete(name)
    else taken.set(name, sum)
    if (sum <= each * CALM) crowded.delete(name)
    if (takenByAll <= total * CALM) isFull = false
  }
  return {
    take(name, amount) {
      const own = taken.get(name) ?? 0
      if (takenByAll + amount > total || own + amount > each) {
        if (takenByAll + amount > total && takenByAll > total * CALM) isFull = true
        if (own + amount > each && own > each * CALM) crowded.add(name)
        return null
      }
      change(name, amount)
      let isHeld = true
      return () => {
        if (isHeld) change(name, -amount)
        isHeld = false
      }
    },
    crowding: () => ({ isFull, crowds: crowded.size }),
  }
}

export interface PlaceLimits extends RoomSize {
  /** Places that the names of one group, such as the keys of one organization, may have together. */
  group: number
}

export interface Places {
  /** Returns a function that gives the place back; null when there is none left, for this name, its group or in all. */
  take(group: string, name: string): (() => void) | null
  /** A name counts, and so does a group. */
  crowding(): Crowding
}

export function createPlaces({ total, group: ofGroup, each }: PlaceLimits): Places {
  const groups = createRoom({ total, each: ofGroup })
  const names = createRoom({ total, each })
  return {
    take(group, name) {
      const leaveGroup = groups.take(group, 1)
      if (!leaveGroup) return null
      const leaveName = names.take(name, 1)
      if (!leaveName) {
        leaveGroup()
        return null
      }
      return () => {
        leaveGroup()
        leaveName()
      }
    },
    crowding() {
      const { isFull, crowds } = groups.crowding()
      return { isFull, crowds: crowds + names.crowding().crowds }
    },
  }
}
