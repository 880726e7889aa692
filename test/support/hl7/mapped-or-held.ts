/** Orders with anything in any of their fields: each is mapped to the patient that it names, or held. */
import { expect } from 'chai'
import fc from 'fast-check'
import { CreateTask } from '../../../lib/contract/task/task.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { anOrder, mdm, type Segments } from './an-order.ts'

/** An id of the hospital, and whom it stands for. */
const LOCAL = { id: 'D77', npi: '9999900027' }

const map = readMapFile({
  documentTypes: { CMS485: { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017' },
  signers: { [LOCAL.id]: LOCAL.npi },
})

const names = ['PID', 'PV1', 'TXA', 'OBX'] as const

/** Words, codes, dates, delimiters, and what only a broken interface sends. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    '""',
    '19440130',
    '1944',
    '9999900019',
    '9999900018',
    LOCAL.id,
    'CMS485',
    'M',
    'Q',
    'Lund^Ida',
    '~',
    '^^^',
    '\\F\\',
    '\\',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n|]/g, ' ')),
)

interface Change {
  segment: (typeof names)[number]
  field: number
  value: string
}

const change: fc.Arbitrary<Change> = fc.record({
  segment: fc.constantFrom(...names),
  field: fc.integer({ min: 1, max: 20 }),
  value,
})

function changed(changes: readonly Change[]): Segments {
  const segments: Record<string, string> = {}
  for (const { segment, field, value: text } of changes) {
    const fields = (segments[segment] ?? String(mdm[segment])).split('|')
    while (fields.length <= field) fields.push('')
    segments[segment] = fields.with(field, text).join('|')
  }
  return segments
}

/** A field of the message as it was sent, read without the parser. */
const sent = (segments: Segments, name: (typeof names)[number], field: number): string =>
  String(segments[name] ?? mdm[name]).split('|')[field] ?? ''
const isEmpty = (text: string) => text.replaceAll(/[\s"~^]/g, '') === ''

/** Throws when one of `count` generated orders is neither held with a reason nor mapped to what it says. */
export function mappedOrHeld(count: number, seed: number): { mapped: number; held: number } {
  const counts = { mapped: 0, held: 0 }
  const judge = (changes: readonly Change[]) => {
    const segments = changed(changes)
    const result = mapHl7(anOrder(segments), map)
    if (!result.ok) {
      expect(result.held).to.not.have.length(0)
      counts.held++
      return
    }
    if (result.action === 'retract') throw new Error('A new document is not to be taken back.')
    const { patient, performers, document } = CreateTask.parse(result.body)
    const [, number = ''] = patient.externalId.split('|')
    expect(sent(segments, 'PID', 3)).to.contain(number || patient.externalId)
    expect(sent(segments, 'PID', 7)).to.contain(patient.birthDate.replaceAll('-', ''))
    const signer = [10, 9, 5].map((field) => sent(segments, 'TXA', field)).find((text) => !isEmpty(text))
    const npi = performers[0]!.signer.userNPI
    expect(signer).to.satisfy((text: string) => text.includes(npi) || (npi === LOCAL.npi && text.includes(LOCAL.id)))
    expect(sent(segments, 'TXA', 4)).to.contain(document.effectiveDate.replaceAll('-', ''))
    counts.mapped++
  }
  fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), judge), { numRuns: count, seed })
  return counts
}
