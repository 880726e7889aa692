/** The orders of a message, each with all that belongs to it. A field is never looked for in another order. Pure. */
import type { ReadMessage, ReadSegment } from '../../hl7/message.ts'

/** An order, with its OBX, DG1, NTE and PRT. */
export interface OrderGroup {
  /** `ORC[2]`, or `OBR[2]` for an order without ORC. */
  name: string
  segments: readonly ReadSegment[]
}

/** A message that was divided. */
export interface Grouped {
  /** MSH, PID, PV1 and all else before the first order that is not part of an order. */
  header: readonly ReadSegment[]
  /** Segments of an order that precede the first order. */
  astray: readonly ReadSegment[]
  groups: readonly OrderGroup[]
}

/** Segments of the patient and of the visit, wherever they are. */
const OF_THE_MESSAGE = ['MSH', 'PID', 'PD1', 'MRG', 'PV1', 'PV2']

/** Segments that belong to an order; before the first order they are about something else. */
const OF_AN_ORDER = ['DG1', 'NTE', 'OBX', 'PRT']

/** Divides a message: ORC begins an order, and so does OBR that no ORC precedes. */
export function groupsOf({ segments }: ReadMessage): Grouped {
  const header: ReadSegment[] = []
  const astray: ReadSegment[] = []
  const groups: { name: string; segments: ReadSegment[] }[] = []
  const counts = { ORC: 0, OBR: 0 }
  let hasRequest = false
  for (const segment of segments) {
    const { name } = segment
    const isControl = name === 'ORC'
    const isRequest = name === 'OBR'
    if (isControl || isRequest) {
      counts[isControl ? 'ORC' : 'OBR'] += 1
      if (isControl || hasRequest || groups.length === 0)
        groups.push({ name: `${name}[${counts[isControl ? 'ORC' : 'OBR']}]`, segments: [] })
      hasRequest = isRequest
    }
    const open = groups.at(-1)
    if (OF_THE_MESSAGE.includes(name)) header.push(segment)
    else if (open !== undefined) open.segments.push(segment)
    else if (OF_AN_ORDER.includes(name)) astray.push(segment)
    else header.push(segment)
  }
  return { header, astray, groups }
}
