/** The status codes that decide what becomes of a document. A code that is not here is held, because its meaning is unknown. Pure. */
import type { ReadSegment } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import { type Findings, MOST_FINDINGS } from '../findings.ts'

/**
 * `send` for a document that is to be signed; `replace` for one in the place of what was sent; `retract` for the end of it; `hold`
 * for one that is not to be signed as it is; `ignore` for an answer or a notice, which asks for nothing.
 */
export type Verdict = 'send' | 'replace' | 'retract' | 'hold' | 'ignore'

interface StatusTable {
  /** The number of the table in the standard. */
  table: string
  codes: Readonly<Record<string, Verdict>>
}

const codes = (of: Readonly<Partial<Record<Verdict, string>>>): Readonly<Record<string, Verdict>> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([verdict, listed]) => listed.split(' ').map((code) => [code, verdict as Verdict])),
  )

/** One table for each field, by the names of HL7 v2.5.1 to v2.9. */
export const statusTables = {
  'ORC-1': {
    table: '0119',
    codes: codes({
      send: 'NW RE',
      replace: 'XO XX',
      retract: 'CA CR DC DR OC OD',
      hold: 'CH CN DE HD HR MC OE OH OR PA PR RL RO RP RQ RR RU UA UC UD UF UH UM UN UR UX XR',
      ignore: 'AF DF FU LI NA OF OK OP OV PY RF SC SN SR SS',
    }),
  },
  'ORC-5': {
    table: '0038',
    codes: codes({ send: 'CM IP SC', retract: 'CA DC', hold: 'A ER HD RP' }),
  },
  'OBR-25': {
    table: '0123',
    codes: codes({ send: 'F O', replace: 'C', retract: 'X', hold: 'A I M N P R S Y Z' }),
  },
  'OBX-11': {
    table: '0085',
    codes: codes({ send: 'F O', replace: 'A C', retract: 'D W', hold: 'B I N P R S U V X' }),
  },
  'TXA-17': {
    table: '0271',
    codes: codes({ send: 'DI DO PA', hold: 'AU IN IP LA' }),
  },
  'TXA-19': {
    table: '0273',
    codes: codes({ send: 'AV', retract: 'CA OB', hold: 'UN' }),
  },
} as const satisfies Record<string, StatusTable>

type StatusField = keyof typeof statusTables

/** The places of the codes in each segment. */
const PLACES = new Map<string, StatusField[]>()
for (const place of Object.keys(statusTables) as StatusField[])
  PLACES.set(place.slice(0, 3), [...(PLACES.get(place.slice(0, 3)) ?? []), place])

/** Verdicts by their weight: the end of a document counts whatever else is said of it, and sending it only when all else agrees. */
const WEIGHT: readonly Verdict[] = ['retract', 'hold', 'ignore', 'replace', 'send']

interface Reason {
  place: string
  reason: string
  isUnlisted: boolean
}

/** The combined meaning of the codes in some segments. */
export interface Status {
  verdict: Verdict
  /** The codes that are not in the tables, and those that say `hold` or `ignore`, each once: places with reasons. */
  reasons: readonly Reason[]
}

/** Returns what the status codes in the segments say together; `send` when there is none. */
export function statusOf(segments: readonly ReadSegment[]): Status {
  const verdicts = new Set<Verdict>()
  const listed = new Map<string, Reason>()
  const unlisted = new Map<string, Reason>()
  for (const segment of segments)
    for (const place of PLACES.get(segment.name) ?? []) {
      const code = valueIn(segment, { field: Number(place.slice(4)) }).trim()
      if (code === '' || code === '""') continue
      const verdict = verdictOf(place, code)
      verdicts.add(verdict ?? 'hold')
      const isUnlisted = verdict === null
      const reasons = isUnlisted ? unlisted : listed
      // A hostile message has another code in each of very many segments, and no more than this many are listed.
      if ((!isUnlisted && verdict !== 'hold' && verdict !== 'ignore') || reasons.size > MOST_FINDINGS) continue
      const { table } = statusTables[place]
      // A code is short; anything longer may be text about the patient.
      const named = /^[\w-]{1,6}$/.test(code) ? `the code ${JSON.stringify(code)}` : 'a code'
      const reason = isUnlisted
        ? `holds ${named}, which is not in table ${table} as it is read`
        : `${named} of table ${table} is not that of a document to be signed`
      reasons.set(`${place} ${reason}`, { place, reason, isUnlisted })
    }
  return {
    verdict: WEIGHT.find((each) => verdicts.has(each)) ?? 'send',
    reasons: [...unlisted.values(), ...listed.values()],
  }
}

function verdictOf(place: StatusField, code: string): Verdict | null {
  const { codes: known }: StatusTable = statusTables[place]
  return Object.hasOwn(known, code.toUpperCase()) ? known[code.toUpperCase()]! : null
}

/** Holds the message for each of the reasons. */
export const holdFor = ({ reasons }: Status, findings: Findings): void => {
  for (const { place, reason } of reasons) findings.hold(place, reason)
}
