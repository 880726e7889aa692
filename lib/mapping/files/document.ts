/** Maps the index of a document: its type, its clinical date, the sender's id and the diagnosis. Pure. */
import type { TaskDocument } from '../../contract/task/document.ts'
import { annotationsOf } from '../annotations.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { isPlaceholder } from '../placeholder.ts'
import { dayOf } from './day.ts'
import type { Index } from './read-index.ts'

/** Returns the document without its PDF. */
export function documentFacts(index: Index, map: MapFile, findings: Findings): Omit<TaskDocument, 'attachment'> {
  const kind = kindOf(index, map, findings)
  const diagnosis = index('diagnosis')
  if (diagnosis.value !== '') findings.from('document.diagnosisCode', diagnosis.place)
  return {
    documentTypeId: kind?.documentTypeId ?? 0,
    effectiveDate: dayOf('document.effectiveDate', index('date'), map, findings),
    externalDocId: externalDocId(index, findings),
    annotations: annotationsOf(kind, map, findings),
    ...(diagnosis.value !== '' && { diagnosisCode: diagnosis.value }),
  }
}

/** Returns the sender's id of the document. */
export function externalDocId(index: Index, findings: Findings): string {
  const { place, value } = index('documentId')
  if (value === '') findings.hold(place, 'has no id of the document')
  else if (isPlaceholder(value)) findings.hold(place, 'is a placeholder; give each document its own id')
  findings.from('document.externalDocId', place)
  return value
}

function kindOf(index: Index, { documentTypes }: MapFile, findings: Findings) {
  const { place, value: code } = index('documentType')
  findings.from('document.documentTypeId', `${place}, by the table documentTypes`)
  if (Object.hasOwn(documentTypes, code)) return documentTypes[code]
  if (code === '') findings.hold(place, 'has no document type code')
  else findings.hold(place, `the code ${JSON.stringify(code)} is not in documentTypes of the map`)
  return undefined
}
