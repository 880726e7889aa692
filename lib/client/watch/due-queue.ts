/** A priority queue by due time: a binary heap. Adding and removing take logarithmic time for any number of waits. */
export interface DueQueue {
  /** Makes `id` due at `at`, replacing an earlier time. */
  set(id: number, at: number): void
  delete(id: number): void
  /** When the first is due; undefined when nothing waits. */
  next(): number | undefined
  /** Takes the first that is due at `now`. */
  take(now: number): number | undefined
}

interface DueDate {
  id: number
  at: number
}

export function createDueQueue(): DueQueue {
  const heap: DueDate[] = []
  /** The valid date of each id; others in the heap are overtaken, and dropped when they come up. */
  const valid = new Map<number, DueDate>()

  const swap = (a: number, b: number) => {
    const held = heap[a]!
    heap[a] = heap[b]!
    heap[b] = held
  }

  function push(date: DueDate): void {
    heap.push(date)
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (heap[parent]!.at <= heap[at]!.at) return
      swap(at, parent)
      at = parent
    }
  }

  function pop(): void {
    swap(0, heap.length - 1)
    heap.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left
      if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right
      if (least === at) return
      swap(at, least)
      at = least
    }
  }

  function first(): DueDate | undefined {
    while (heap[0] && valid.get(heap[0].id) !== heap[0]) pop()
    return heap[0]
  }

  return {
    set(id, at) {
      const date = { id, at }
      valid.set(id, date)
      push(date)
    },
    delete: (id) => void valid.delete(id),
    next: () => first()?.at,
    take(now) {
      const date = first()
      if (!date || date.at > now) return undefined
      pop()
      valid.delete(date.id)
      return date.id
    },
  }
}
