/** Shows where the fields of a document will stand, before anything is sent. The work is done in shared/document/preview.ts. */

import { describeIssues } from '../lib/contract/error.ts'
import { type Annotations, annotationsFrom } from '../lib/contract/task/annotations.ts'
import type { HostProfile } from '../lib/profile/host-profile.ts'
import { defaultProfile } from '../lib/profile/parse-profile.ts'
import { type AttachmentForm, encodeAttachment } from './shared/document/attachment.ts'
import { preview } from './shared/document/preview.ts'
import { compact } from './shared/form/form-values.ts'
import { typedInput } from './shared/form/inputs.ts'
import { placedFields } from './shared/form/placed-fields.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError } from './shared/runtime/failures.ts'
import type { Config, Runtime } from './shared/runtime/node-red.ts'
import type { ServiceNode } from './shared/service/connection.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-preview', async ({ runtime, config, evaluate, signal }) => {
    // Without a service, the fields stand as ours places them.
    const service = runtime.nodes.getNode(config.service) as ServiceNode | null
    const profile = service?.speech?.().profile ?? defaultProfile
    const given = await evaluate(typedInput(config, 'attachment'), 'attachment')
    const attachment = await encodeAttachment(given, config.attachmentForm as AttachmentForm)
    const annotations = annotationsOf(config, await placedFields(config, evaluate), profile)
    const question = { pdf: Buffer.from(attachment, 'base64'), annotations, drawn: config.drawn === true, profile }
    const { fields, pdf } = await preview(question, signal)
    return {
      set: { fields, ...(pdf && { payload: Buffer.from(pdf) }) },
      shown: { tone: 'good', key: 'fields', values: { count: fields.length } },
    }
  })
}

function annotationsOf({ placement }: Config, data: unknown, { coordinates }: HostProfile): Annotations {
  const parsed = annotationsFrom(coordinates.origin).safeParse(compact({ type: placement, data }))
  if (parsed.success) return parsed.data
  throw new InputError(describeIssues(parsed.error).map((sentence) => `document.annotations.${sentence}`))
}
