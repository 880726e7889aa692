/** Which accepted orders may have ended a process: marks in a place of their own, because the journal of the service has no such table. */
import type { Clock } from '../../../lib/clock.ts'
import type { Where } from '../database/where.ts'
import { createMarks, type Marks, type Recovered } from '../handling/marks.ts'
import { createDatabaseMarks } from '../handling/marks-in-database.ts'
import { afterTurning, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import { keeping, keepingAll } from '../intake/keeping.ts'
import { closeQueueFile, openQueueFile } from '../intake/queue-file.ts'

/** Methods throw the NodeError CANNOT_KEEP. */
export interface HandledOrders {
  /** Marks orders as under way, until they end or the process has survived them. */
  begin(ids: readonly string[]): void
  beginAlone(id: string): void
  /** The order that is handled alone is under way like others from now on. Never throws. */
  endTurn(): void
  end(id: string): void
  /** Returns what earlier starts have left; from the second call on, what other processes that have ended since have left. */
  takeOver(): Recovered<string>
  close(isDeleted: boolean): void
}

/** @param where is called when the first mark is needed */
export function openHandledOrders(
  where: () => Where,
  clock: Clock,
  onError: (failure: unknown) => void,
): HandledOrders {
  let opened: Opened | undefined
  let isTakenOver = false
  const survivals = new Map<string, () => void>()

  const open = (): Opened => {
    opened ??= keeping(() => openMarks(where()))
    return opened
  }
  const marks = () => open().marks

  function watch(id: string): void {
    survivals.get(id)?.()
    const end = () => {
      try {
        marks().end([id])
      } catch (failure) {
        onError(failure)
      }
    }
    survivals.set(id, afterTurning(clock, SURVIVED_MS, end))
  }

  return {
    begin(ids) {
      marks().begin(ids)
      ids.forEach(watch)
    },
    beginAlone(id) {
      marks().beginAlone(id)
      watch(id)
    },
    endTurn() {
      try {
        marks().endTurn()
      } catch (failure) {
        onError(failure)
      }
    },
    end(id) {
      survivals.get(id)?.()
      survivals.delete(id)
      marks().end([id])
    },
    takeOver() {
      const { marks, recovered, isShared } = open()
      if (!isTakenOver) {
        isTakenOver = true
        return recovered
      }
      return isShared ? marks.recover() : { condemned: [], suspects: [], takenOver: 0 }
    },
    close(isDeleted) {
      for (const cancel of survivals.values()) cancel()
      try {
        opened?.marks.stop()
      } finally {
        opened?.close(isDeleted)
        opened = undefined
      }
    },
  }
}

interface Opened {
  marks: Marks<string>
  recovered: Recovered<string>
  isShared: boolean
  close: (isDeleted: boolean) => void
}

function openMarks(where: Where): Opened {
  if (typeof where !== 'string') {
    const { database, queue } = where
    const marks = createDatabaseMarks<string>(database, queue, String)
    return { marks: keepingAll(marks), recovered: marks.recover(), isShared: true, close: database.retain() }
  }
  const database = openQueueFile(where, '')
  const marks = createMarks<string>(database)
  // Before an order that has just come is marked.
  const recovered = marks.recover()
  return {
    marks: keepingAll(marks),
    recovered,
    isShared: false,
    close: (isDeleted) => closeQueueFile(database, where, isDeleted),
  }
}
