/** Which accepted orders may have ended the process: marks in a file of their own, because the journal of the service has no such table. */
import type { Clock } from '../../../lib/clock.ts'
import { createMarks, type Marks, type Recovered } from '../handling/marks.ts'
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
  /** Orders that earlier starts have left. */
  readonly recovered: Recovered<string>
  close(isDeleted: boolean): void
}

export function openHandledOrders(file: string, clock: Clock, onError: (failure: unknown) => void): HandledOrders {
  let opened: Opened | undefined
  const survivals = new Map<string, () => void>()

  const open = (): Opened => {
    opened ??= keeping(() => openFile(file))
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
    get recovered() {
      return open().recovered
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
  close: (isDeleted: boolean) => void
}

function openFile(file: string): Opened {
  const database = openQueueFile(file, '')
  const marks = createMarks<string>(database)
  // Before an order that has just come is marked.
  const recovered = marks.recover()
  return { marks: keepingAll(marks), recovered, close: (isDeleted) => closeQueueFile(database, file, isDeleted) }
}
