/**
 * Has V8 collect what large messages leave. It counts the memory of Buffers late, and would keep several messages of 32 MB that are
 * no longer used.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of large messages from one collection to the next. */
const BETWEEN_BYTES = 48 * 1024 * 1024
/** Collecting this heap takes less than 0.1 s. The collector of a larger one runs often by itself. */
const MOST_HEAP_BYTES = 128 * 1024 * 1024

let collector: (() => void) | undefined
let read = 0

/** Notes that a large message was read, in bytes or characters. Collects in a later turn of the event loop. */
export function collectAfter(size: number): void {
  read += size
  if (read < BETWEEN_BYTES) return
  read = 0
  setImmediate(() => {
    if (getHeapStatistics().used_heap_size <= MOST_HEAP_BYTES) collect()
  })
}

/** Collects at once. */
export function collect(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collector()
}
