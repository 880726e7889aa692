/** What a node shows that listens and stores: its port, how many senders are connected, and why it stores nothing. */
import { FlowError, knownFailure } from '../runtime/failures.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show, shownFailure } from '../runtime/status.ts'

export interface StoringStatus {
  listening(port: number): void
  connected(count: number): void
  /** A connection was refused. */
  refused(): void
  /** @param failure why a message was not stored; null when one was */
  stored(failure: unknown): void
  /** How many messages are set aside. */
  setAside(count: number): void
  /** It does not listen any more: what senders do is not shown. */
  stopped(): void
  /** It cannot listen. */
  failed(failure: { code: string }): void
}

export function storingStatus(runtime: Runtime, node: RuntimeNode): StoringStatus {
  /** Null while it does not listen. */
  let port: number | null = null
  let count = 0
  let asideCount = 0
  /** How many connections were refused since it listens. */
  let refusals = 0
  /** The code of the failure that lasts. */
  let lasting: string | null = null
  const listening = (): Shown => ({
    ...(asideCount > 0
      ? { tone: 'waiting', key: 'setAside', values: { count: asideCount } }
      : { tone: 'good', key: 'listening' }),
    detail:
      refusals === 0
        ? { key: 'connected', values: { port, count } }
        : { key: 'connectedRefused', values: { port, count, refused: refusals } },
  })
  const tell = () => {
    if (port !== null) show(runtime, node, lasting === null ? listening() : shownFailure(lasting))
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
    refused() {
      refusals += 1
      tell()
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
    },
    failed: ({ code }) => show(runtime, node, shownFailure(code)),
  }
}
