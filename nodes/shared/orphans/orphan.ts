/** One thing that is kept although no node of the flows works on it. Types only. */

/** `row`: a row of a shared database that another program has changed. */
export type OrphanKind =
  | 'order'
  | 'message'
  | 'wait'
  | 'event'
  | 'subscription'
  | 'outcome'
  | 'held'
  | 'intake'
  | 'outbox'
  | 'row'

export type OrphanAction = 'send' | 'adopt' | 'discard'

export interface Orphan {
  /** Where it is kept: a journal, a part of it and a key; a part without a key; or a file. Opaque to the editor. */
  id: string
  kind: OrphanKind
  /**
   * `address`: the service node had another address then. `node`: its node is gone, uses another service or does not keep orders any
   * more. `key`: it waits for a person because the API key is another one. `withdrawn`: because its sender has withdrawn it.
   * `number`: no process gives such a number.
   */
  reason: 'address' | 'node' | 'key' | 'withdrawn' | 'number'
  /** The address that it belongs to, without credentials and path; null when it is not known. */
  address: string | null
  nodeId: string | null
  /** How many entries this row counts. */
  count: number
  /** The id of the document; null when it is not known. */
  externalDocId: string | null
  taskId: number | null
  /** False when it was encrypted with another secret. */
  canBeOpened: boolean
  actions: OrphanAction[]
}
