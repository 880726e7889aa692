/** A sender acts for the signer of its own tasks. */
import * as z from 'zod'
import { optional, rule } from '../../lib/contract/primitives.ts'
import { parse } from '../http/parse.ts'
import { requiredValues, type Signing } from '../signing/sign.ts'
import type { Store } from '../store/store.ts'
import type { SandboxApi } from './sandbox-api.ts'

/** `values` by index into the fields of the document. What is required and left out is filled in as the demo signers do. */
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
    reason: optional(z.string(rule('text of up to 500 characters')).max(500, 'text of up to 500 characters')),
  }),
)

export function signerRoutes(
  { serve }: SandboxApi,
  { store, signing }: { store: Pick<Store, 'inbox'>; signing: Signing },
): void {
  serve('post', '/tasks/:id/sign', async ({ organizationId, by, id, body }) => {
    const { values } = parse(SignBody, body) ?? {}
    const document = await store.inbox.find({ organizationId }, id)
    const filled = document && { ...requiredValues(document), ...values }
    await signing.sign({ organizationId }, id, by, { values: filled ?? {}, signatureImage: null })
  })
  serve('post', '/tasks/:id/reject', ({ organizationId, by, id, body }) =>
    signing.reject({ organizationId }, id, by, parse(RejectBody, body)?.reason ?? null),
  )
}
