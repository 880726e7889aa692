/** Says in the log that a node was removed while it kept messages. */
import type { Runtime } from './node-red.ts'
import { sharedText } from './status.ts'

export const removedWithContents = (runtime: Runtime, kind: 'held' | 'intake' | 'outbox', count: number): string =>
  sharedText(runtime, 'orphans.removed', {
    what: sharedText(runtime, `orphans.${count === 1 ? 'one' : 'count'}.${kind}`, { count }),
  })
