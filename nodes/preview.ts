/** Shows where the fields of a document will be, before anything is sent. The work is done in shared/document/preview.ts. */

import { describeIssues } from '../lib/contract/error.ts'
import { type Annotations, annotationsFrom } from '../lib/contract/task/annotations.ts'
import type { HostProfile } from '../lib/profile/host-profile.ts'
import { defaultProfile } from '../lib/profile/parse-profile.ts'
import { type AttachmentForm, encodeAttachment } from './shared/document/attachment.ts'
import { preview } from './shared/document/preview.ts'
import type { FormReader } from './shared/form/form-reader.ts'
import { compact } from './shared/form/form-values.ts'
import { refuse } from './shared/form/inputs.ts'
import { placedFields } from './shared/form/placed-fields.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError } from './shared/runtime/failures.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import type { ServiceNode } from './shared/service/connection.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-preview', async ({ runtime, config, reader, signal }) => {
    // Without a service, the fields are as ours places them.
    const service = runtime.nodes.getNode(config.service) as ServiceNode | null
    const profile = service?.speech?.().profile ?? defaultProfile
    const given = await givenTo(reader, profile)
    const answer = await preview({ ...given, drawn: config.drawn === true, profile }, signal)
    if (!answer.ok) throw new InputError([reader.named(answer.problem)])
    const { fields, pdf } = answer
    return {
      set: { fields, ...(pdf && { payload: Buffer.from(pdf) }) },
      shown: { tone: 'good', key: 'fields', values: { count: fields.length } },
    }
  })
}

/** Throws one InputError with everything that is wrong. */
async function givenTo(reader: FormReader, { coordinates }: HostProfile) {
  const { config, value } = reader
  const attachment = await value('attachment', 'document.attachment')
  const wrong: string[] = []
  const base64 = await encodeAttachment(attachment, config.attachmentForm as AttachmentForm).catch(
    (failure: InputError) => {
      wrong.push(...failure.errors)
      return ''
    },
  )
  const data = await placedFields(reader)
  const parsed = annotationsFrom(coordinates.origin).safeParse(compact({ type: config.placement, data }))
  if (!parsed.success) wrong.push(...describeIssues(parsed.error).map((sentence) => `document.annotations.${sentence}`))
  refuse(reader, wrong)
  return { pdf: Buffer.from(base64, 'base64'), annotations: parsed.data as Annotations }
}
