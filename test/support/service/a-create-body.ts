/** A create body that the demo service accepts; each test changes the one thing it is about. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { ORDER } from '../pdf/order-pdf.ts'
import { aPatient, EXTERNAL_DOC_ID } from './a-patient.ts'

/** Demo signers. Calder never acts by herself, Rowe is inactive, no provider has the unknown NPI. */
export const SIGNER = { marsh: '9999900019', calder: '9999900035', rowe: '9999900068', unknown: '9999900043' } as const

/** Document types and templates of the demo. 204 needs no diagnosis code and takes dates from 30 days ago to today. */
export const DOCUMENT_TYPE = 104
export const TEMPLATE = { verbalOrder: 204, certification: 201, ofAnotherOrganization: 211 } as const

export interface TaskChange {
  patient?: Partial<CreateTask['patient']>
  performer?: Partial<CreateTask['performers'][number]>
  document?: Partial<CreateTask['document']>
}

export function aCreateBody({ patient, performer, document }: TaskChange = {}): CreateTask {
  return {
    patient: { ...aPatient(), ...patient },
    performers: [{ signer: { userNPI: SIGNER.calder }, ...performer }],
    document: {
      attachment: ORDER,
      effectiveDate: daysFromToday(0),
      documentTypeId: DOCUMENT_TYPE,
      externalDocId: EXTERNAL_DOC_ID,
      annotations: {
        type: 'Json',
        data: [
          { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 },
          { type: 'DateSigned', pageNumber: 1, left: 300, top: 600, right: 390, bottom: 614 },
        ],
      },
      ...document,
    },
  }
}

/** A calendar date in UTC, as the service counts days. */
export const daysFromToday = (days: number): string =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
