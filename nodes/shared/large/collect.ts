/**
 * Has V8 collect what large messages leave. It counts the memory of Buffers late, and would keep several messages of 32 MB that are
 * no longer used.
 */
import { getHeapStatistics } from 'node:v8'
import { garbageCollector } from '../../../lib/at-rest.ts'

const MEGABYTE = 1024 * 1024
/** Bytes of large messages from one collection to the next. */
const BETWEEN_BYTES = 24 * MEGABYTE
/** Collecting this heap takes less than 0.1 s. The collector of a larger one runs often by itself. */
const MOST_HEAP_BYTES = 128 * MEGABYTE
/** A heap that has grown by this much is made smaller, which takes several collections. */
const UNUSED_BYTES = 48 * MEGABYTE
const MOST_SHRUNK_BYTES = 32 * MEGABYTE

let collector: NodeJS.GCFunction | undefined
let passed = 0

/** Notes that a large message was received or read, in bytes or characters. Collects in a later turn of the event loop. */
export function collectAfter(size: number): void {
  passed += size
  if (passed < BETWEEN_BYTES) return
  passed = 0
  setImmediate(() => {
    const { used_heap_size: used, total_heap_size: total } = getHeapStatistics()
    if (used > MOST_HEAP_BYTES) return
    collect('regular')
    if (used <= MOST_SHRUNK_BYTES && total - used > UNUSED_BYTES) setImmediate(() => collect('last-resort'))
  })
}

/** Collects at once. @param flavor `last-resort` also gives back what the heap has grown by */
export function collect(flavor: 'regular' | 'last-resort'): void {
  collector ??= garbageCollector()
  collector?.({ type: 'major', execution: 'sync', flavor })
}
