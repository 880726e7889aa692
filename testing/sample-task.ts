/** A task that the sandbox accepts, so that a test need not make one up. The patient does not exist. */
import { PDFDocument } from 'pdf-lib'
import type { CreateTask } from '../lib/contract/task/task.ts'

/** The demo signer Ruth Calder, who never acts by herself, so that only the test signs. */
const SIGNER = '9999900035'
/** A document type of the demo: Physician Order. */
const DOCUMENT_TYPE = 104

/**
 * Resolves with the body of a create: a page with one signature field, for a signer who acts only when the test does.
 * @param document what is to be different about the document, such as its `externalDocId`
 */
export async function sampleTask(document: Partial<CreateTask['document']> = {}): Promise<CreateTask> {
  const pdf = await PDFDocument.create()
  pdf.addPage([612, 792])
  return {
    patient: {
      externalId: 'WILLOW|WC100001',
      names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
      sex: 'Female',
      birthDate: '1948-03-12',
      addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
      identifiers: [{ authority: 'mrn', value: 'WC100001' }],
    },
    performers: [{ signer: { userNPI: SIGNER } }],
    document: {
      attachment: Buffer.from(await pdf.save()).toString('base64'),
      effectiveDate: new Date().toISOString().slice(0, 10),
      documentTypeId: DOCUMENT_TYPE,
      externalDocId: 'SAMPLE-1',
      annotations: {
        type: 'Json',
        data: [
          { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 272, bottom: 636 },
        ],
      },
      ...document,
    },
  }
}
