/** Room that many take and give back, such as memory or places in a queue: a total, and a share that none may exceed. */

export interface RoomSize {
  total: number
  /** The share of the total that one name may have. */
  each: number
}

export interface Room {
  /** Returns a function that gives the room back; null when there is none left, for this name or in all. */
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

export interface PlaceLimits extends RoomSize {
  /** Places that the names of one group, such as the keys of one organization, may have together. */
  group: number
}

export interface Places {
  /** Returns a function that gives the place back; null when there is none left, for this name, its group or in all. */
  take(group: string, name: string): (() => void) | null
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
  }
}
