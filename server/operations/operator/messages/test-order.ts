/** Test orders as the operator's interface takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, Npi } from '../../../../lib/contract/primitives.ts'

/** The sender's id of a test order begins with it. */
export const TEST_ORDER = 'TEST-ORDER-'

export const TestOrderBody = z.strictObject({
  signerNpi: Npi,
  documentTypeId: id().register(docs, {
    title: 'Document type',
    description: 'The document type of the order.',
    examples: [104],
  }),
})
export type TestOrderBody = z.input<typeof TestOrderBody>
