/** Sets whose tasks wait for a manual review, so that tests can send one patient under many ids, or see a review. */
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { told } from '../../../lib/profile/values.ts'
import { reviewedPatients } from './reviewed-patients.ts'
import { sandboxRow } from './sandbox-context.ts'

const patients = z.enum(reviewedPatients, rule(`one of ${reviewedPatients.join(', ')}`))
const ReviewSetting = z.strictObject(
  {
    patients: told(
      patients,
      'Patients',
      'Whose tasks wait: `doubtful`, as in production; `none`: a known id is that patient and any other is new; or `all`.',
      'none',
    ),
  },
  rule('an object with patients'),
)

const about = {
  path: '/sandbox/v1/review',
  group: 'Manual review',
  who: ['sender'],
  responses: { 200: ReviewSetting },
} as const

export const readReviewSetting = sandboxRow({
  ...about,
  method: 'get',
  summary: 'Read whose tasks wait for a manual review',
  run: async ({ reviewing, organizationId }) => ({ patients: reviewing.of(organizationId) }),
})

export const setReviewSetting = sandboxRow({
  ...about,
  method: 'post',
  summary: 'Set whose tasks wait for a manual review',
  body: ReviewSetting,
  async run({ reviewing, organizationId }, { body }) {
    reviewing.set(organizationId, body.patients)
    return body
  },
})
