/** Tells the node that has accepted a message that another one has taken it over. */
import type { Message } from '../runtime/node-red.ts'

/** The open intakes by node: the functions called for the messages of each. */
const open = new Map<string, (entry: number) => void>()
/** Entries taken while their node was closed, as during a deploy. */
const early = new Map<string, number[]>()

/** Returns what `msg.intake` says of an accepted message: opaque to flows. */
export const intakeId = (nodeId: string, entry: number): string => `${nodeId}/${entry}`

/** Whether the message, or the one that it was made of, was accepted by a node of this package. */
export const isAccepted = ({ intake }: Message): boolean => typeof intake === 'string'

/**
 * Says that what an accepted message asks for is done, or kept elsewhere permanently, so that it is not sent into the flow again. Does
 * nothing for messages from elsewhere.
 */
export function taken(message: Message): void {
  const accepted = acceptedBy(message)
  if (!accepted) return
  const { nodeId, entry } = accepted
  const tell = open.get(nodeId)
  if (tell) tell(entry)
  else early.set(nodeId, [...(early.get(nodeId) ?? []), entry])
}

/** Returns the node that has accepted a message, and its number there; undefined for messages from elsewhere. */
export function acceptedBy({ intake }: Message): { nodeId: string; entry: number } | undefined {
  const [, nodeId, entry] = typeof intake === 'string' ? (/^(.+)\/(\d+)$/.exec(intake) ?? []) : []
  return nodeId === undefined ? undefined : { nodeId, entry: Number(entry) }
}

/** Tells of each message of a node that is taken from now on, or was since it closed. Returns a function that ends it. */
export function listenForTaken(nodeId: string, tell: (entry: number) => void): () => void {
  open.set(nodeId, tell)
  for (const entry of early.get(nodeId) ?? []) tell(entry)
  early.delete(nodeId)
  return () => {
    if (open.get(nodeId) === tell) open.delete(nodeId)
  }
}
