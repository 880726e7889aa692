/** Document types as the operator's interface takes them. */
import * as z from 'zod'
import { text } from '../../../../lib/contract/primitives.ts'

export const DocumentTypeBody = z.object({ name: text(200), category: text(100) })
export type DocumentTypeBody = z.input<typeof DocumentTypeBody>
