/** Orders in HL7 v2 with some fields changed, and what becomes of them by a usual map. */
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { anOrder, mdm, type Segments } from './an-order.ts'

const usual: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017' },
}

export const mapped = (changes: Segments = {}, map: MapFileInput = {}, base = mdm): Mapped =>
  mapHl7(anOrder(changes, base), readMapFile({ ...usual, ...map }))

/** PID with one of its fields changed. */
export const pid = (field: number, value: string): Segments => {
  const fields = String(mdm.PID).split('|')
  while (fields.length <= field) fields.push('')
  fields[field] = value
  return { PID: fields.join('|') }
}
export const txa = (field: number, value: string): Segments => ({
  TXA: String(mdm.TXA).split('|').with(field, value).join('|'),
})
