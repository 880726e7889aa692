/**
 * Makes of a PDF and its index what the interface asks for. What is there and cannot be used holds the document, with a reason;
 * nothing is guessed. Pure.
 */

import { describeIssues } from '../contract/error.ts'
import { CreateTask } from '../contract/task/task.ts'
import { documentFacts, externalDocId } from './files/document.ts'
import { patientFacts } from './files/patient.ts'
import { organizationNpi, signerNpi } from './files/performer.ts'
import { type Index, type IndexKind, readIndex } from './files/read-index.ts'
import { createFindings, type Findings } from './findings.ts'
import { type MapFile, type MapFileInput, readMapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'
import { isPlaceholder } from './placeholder.ts'
import { NOT_A_PDF, pdfInBytes } from './whole-pdf.ts'

/** A document as it was dropped into a folder. */
export interface DroppedFiles {
  /** The index, as it came. */
  index: Uint8Array
  /** How it is written. */
  kind: IndexKind
  /** The document; null when there is none, as where one is taken back. */
  pdf: Uint8Array | null
}

/** An index has a few kilobytes. A larger one would take seconds to read. */
export const MAX_INDEX_BYTES = 256 * 1024

/** Returns what a document and its index ask for, or every reason why they are held. No reason repeats a value of a patient. */
export function mapFiles({ index: bytes, kind, pdf }: DroppedFiles, given: MapFileInput): Mapped {
  const map = readMapFile(given)
  const findings = createFindings()
  const { held, warnings, origins } = findings
  if (bytes.length > MAX_INDEX_BYTES) findings.hold('index', 'has more than 256 kB; an index describes one document')
  const index = bytes.length > MAX_INDEX_BYTES ? null : readIndex(bytes, kind, map, findings)
  if (index === null) return { ok: false, held }
  const action = actionIn(index, findings)
  if (action === 'retract') {
    const id = externalDocId(index, findings)
    return held.length > 0 ? { ok: false, held } : { ok: true, action, externalDocId: id, warnings }
  }
  const request = requestOf(index, pdf, map, findings)
  if (held.length > 0) return { ok: false, held }
  const body = CreateTask.safeParse(request)
  const replaced = index('replaces').value
  return body.success
    ? { ok: true, action, body: body.data, ...(replaced !== '' && { replaces: [replaced] }), origins, warnings }
    : { ok: false, held: describeIssues(body.error) }
}

const actions = ['create', 'replace', 'retract'] as const

/** An index that says what it replaces is a replacement; one that says something else as well contradicts itself. */
function actionIn(index: Index, findings: Findings): (typeof actions)[number] {
  const { place, value } = index('action')
  const replaced = index('replaces')
  const known = actions.find((action) => action === value.toLowerCase())
  if (value !== '' && known === undefined) findings.hold(place, `none of ${actions.join(', ')}`)
  if (replaced.value === '') return known ?? 'create'
  if (value !== '' && known !== 'replace') findings.hold(replaced.place, `only with ${place} replace`)
  else if (isPlaceholder(replaced.value))
    findings.hold(replaced.place, 'is a placeholder; give the id of the document that is replaced')
  return known ?? 'replace'
}

function requestOf(index: Index, pdf: Uint8Array | null, map: MapFile, findings: Findings) {
  const orgNPI = organizationNpi(index, map, findings)
  return {
    patient: patientFacts(index, map, findings),
    performers: [
      {
        signer: { userNPI: signerNpi(index, map, findings) },
        ...(orgNPI !== undefined && { organization: { orgNPI } }),
      },
    ],
    document: { ...documentFacts(index, map, findings), attachment: attachment(pdf, findings) },
  }
}

function attachment(given: Uint8Array | null, findings: Findings): string {
  findings.from('document.attachment', 'the PDF')
  if (given === null) {
    findings.hold('PDF', 'there is none')
    return ''
  }
  const pdf = pdfInBytes(given)
  if (pdf.ok) return pdf.base64
  findings.hold('PDF', pdf.reason === NOT_A_PDF ? 'is none' : pdf.reason)
  return ''
}
