/** Searches for tasks as the operator's interface takes and answers them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { text } from '../../../../lib/contract/primitives.ts'
import { OverviewTask } from './tasks.ts'

export const SearchBody = z.strictObject({
  search: text(200).register(docs, {
    title: 'Search',
    description:
      'The number of a task or of its document, the sender’s id, the id under which an outcome was saved, an NPI, or names and a birth date. Of a patient, the family name must be exact; case and accents do not count.',
    examples: ['Whitfield 1948-03-12'],
    sensitive: true,
  }),
})
export type SearchBody = z.input<typeof SearchBody>

export const FoundTasks = z.object({
  byId: z.array(OverviewTask).register(docs, {
    title: 'By id',
    description: 'Tasks with this number, or with this id of their sender.',
    examples: [[]],
  }),
  byPatient: z.array(OverviewTask).register(docs, {
    title: 'By patient',
    description: 'Tasks of patients of this name or birth date, the newest first, 50 at most.',
    examples: [[]],
  }),
  isMore: z.boolean().register(docs, {
    title: 'More',
    description: 'Whether there are more tasks of such patients: add the birth date.',
    examples: [false],
  }),
  signers: z
    .array(z.object({ npi: z.string(), signingName: z.string(), isActive: z.boolean() }))
    .register(docs, { title: 'Signers', description: 'Signers of this name or NPI.', examples: [[]] }),
})
export type FoundTasks = z.infer<typeof FoundTasks>
