/** Whether a message is one that the map is made for. Pure. */
import type { Findings } from './findings.ts'
import type { MapFile } from './map-file.ts'

/** Whether the map accepts messages of this type; holds the message when it does not. */
export function isAccepted(place: string, type: string, { accepts }: MapFile, findings: Findings): boolean {
  const known = accepts.some((accepted) => accepted === type)
  if (!known) findings.hold(place, `the map does not accept ${type}, only ${accepts.join(', ')}`)
  return known
}
