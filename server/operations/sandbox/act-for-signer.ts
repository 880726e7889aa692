/** Lets a sender act for the signer of its own tasks. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { optional, pathId, rule, upTo } from '../../../lib/contract/primitives.ts'
import { MAX_REASON } from '../../../lib/contract/task/status-reason.ts'
import { withoutPage } from '../../signing/circumstances.ts'
import { requiredValues } from '../../signing/sign.ts'
import { sandboxRow } from './sandbox-context.ts'

/** `values` by index of the fields. Required ones that are omitted are filled in as the demo signers fill them in. */
const SignBody = optional(
  z.object({
    values: optional(
      z.record(
        z.string().regex(/^\d+$/, 'the index of a field, from 0'),
        z.union([z.string(), z.boolean()], rule('text or true or false')),
      ),
    ),
  }),
)
const RejectBody = optional(
  z.object({
    reason: optional(upTo(MAX_REASON)),
  }),
)

const about = {
  method: 'post',
  group: 'Tasks',
  who: ['sender'],
  params: z.object({ id: pathId() }),
  taskId: 'id',
  responses: { 204: null, 409: ErrorBody },
} as const

export const signAsSigner = sandboxRow({
  ...about,
  path: '/sandbox/v1/tasks/:id/sign',
  summary: 'Sign a task',
  body: SignBody,
  async run({ store, signing, organizationId, by }, { params: { id }, body }) {
    const document = await store.signing.find({ organizationId }, id)
    const filled = document && { ...requiredValues(document), ...body?.values }
    await signing.sign({ organizationId }, id, by, {
      values: filled ?? {},
      signatureImage: null,
      circumstances: withoutPage('sandboxCall', by.ip),
    })
  },
})

export const rejectAsSigner = sandboxRow({
  ...about,
  path: '/sandbox/v1/tasks/:id/reject',
  summary: 'Reject a task',
  body: RejectBody,
  run: ({ signing, organizationId, by }, { params: { id }, body }) =>
    signing.reject({ organizationId }, id, by, body?.reason ?? null),
})
