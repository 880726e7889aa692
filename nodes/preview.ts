/** Shows where the fields of a document will stand, before anything is sent. The work is done in shared/document/preview.ts. */

import { describeIssues } from '../lib/contract/error.ts'
import { Annotations } from '../lib/contract/task/document.ts'
import { type AttachmentForm, encodeAttachment } from './shared/document/attachment.ts'
import { preview } from './shared/document/preview.ts'
import { compact } from './shared/form/form-values.ts'
import { typedInput } from './shared/form/inputs.ts'
import { placedFields } from './shared/form/placed-fields.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError } from './shared/runtime/failures.ts'
import type { Config, Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-preview', async ({ config, evaluate, signal }) => {
    const given = await evaluate(typedInput(config, 'attachment'), 'attachment')
    const attachment = await encodeAttachment(given, config.attachmentForm as AttachmentForm)
    const annotations = annotationsOf(config, await placedFields(config, evaluate))
    const question = { pdf: Buffer.from(attachment, 'base64'), annotations, drawn: config.drawn === true }
    const { fields, pdf } = await preview(question, signal)
    return {
      set: { fields, ...(pdf && { payload: Buffer.from(pdf) }) },
      shown: { tone: 'good', key: 'fields', values: { count: fields.length } },
    }
  })
}

function annotationsOf({ placement }: Config, data: unknown): Annotations {
  const parsed = Annotations.safeParse(compact({ type: placement, data }))
  if (parsed.success) return parsed.data
  throw new InputError(describeIssues(parsed.error).map((sentence) => `document.annotations.${sentence}`))
}
