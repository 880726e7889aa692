/** The status of a node that listens and stores: its port, how many senders are connected, and why it stores nothing. */
import type { Clock } from '../../../lib/clock.ts'
import { FlowError, knownFailure } from '../runtime/failures.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show, shownFailure } from '../runtime/status.ts'

export interface StoringStatus {
  listening(port: number): void
  connected(count: number): void
  /** A connection was refused. */
  connectionRefused(): void
  /** A message was refused, which is not stored. */
  messageRefused(): void
  /** Bytes came outside of frames. */
  unframed(bytes: number): void
  /** @param failure why a message was not stored; null when one was */
  stored(failure: unknown): void
  /** How many messages are held. */
  setAside(count: number): void
  /** It does not listen any more: what senders do is not shown. */
  stopped(): void
  /** It cannot listen. */
  failed(failure: { code: string }): void
}

const COUNTS_MS = 1000

export function storingStatus(runtime: Runtime, node: RuntimeNode, clock: Clock): StoringStatus {
  /** Null while it does not listen. */
  let port: number | null = null
  let count = 0
  let asideCount = 0
  /** Refusals since the node was deployed. */
  const counts = { connectedRefused: 0, messagesRefused: 0, unframed: 0 }
  /** The code of the failure that lasts. */
  let lasting: string | null = null
  const listening = (): Shown => ({
    ...(asideCount > 0
      ? { tone: 'waiting', key: 'holding', values: { count: asideCount } }
      : { tone: 'good', key: 'listening' }),
    details: [
      counts.connectedRefused === 0
        ? { key: 'connected', values: { port, count } }
        : { key: 'connectedRefused', values: { port, count, refused: counts.connectedRefused } },
      ...(['messagesRefused', 'unframed'] as const)
        .filter((key) => counts[key] > 0)
        .map((key) => ({ key, values: { count: counts[key] } })),
    ],
  })
  /** Whether more was counted than is shown. */
  let isStale = false
  let cancelSoon: (() => void) | undefined
  const tell = () => {
    if (port !== null) show(runtime, node, lasting === null ? listening() : shownFailure(lasting))
  }
  /** At once, and then once a second: a sender may do it very often. */
  const tellCount = (hasChanged = true) => {
    if (cancelSoon) {
      isStale = true
      return
    }
    if (!hasChanged) return
    tell()
    isStale = false
    cancelSoon = clock.after(COUNTS_MS, () => {
      cancelSoon = undefined
      tellCount(isStale)
    })
  }

  return {
    listening(opened) {
      port = opened
      lasting = null
      tell()
    },
    connected(connections) {
      count = connections
      tell()
    },
    connectionRefused() {
      counts.connectedRefused += 1
      tellCount()
    },
    messageRefused() {
      counts.messagesRefused += 1
      tellCount()
    },
    unframed(bytes) {
      counts.unframed += bytes
      tellCount()
    },
    stored(failure) {
      const known = failure === null ? null : knownFailure(failure)
      if ((known?.code ?? null) === lasting) return
      lasting = known?.code ?? null
      if (known) node.error(new FlowError(known))
      tell()
    },
    setAside(held) {
      asideCount = held
      tell()
    },
    stopped() {
      port = null
      cancelSoon?.()
    },
    failed: ({ code }) => show(runtime, node, shownFailure(code)),
  }
}
