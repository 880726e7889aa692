/** Checks whether a PDF is as it was signed, and reads who signed it and when. lib/pdf reads the seal. */
import { readSignature, type Signature } from '../lib/pdf/read-signature.ts'
import { pdfBytes } from './shared/document/attachment.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import type { Shown } from './shared/runtime/status.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-check-signed',
    inputs: {},
    async work({ message, connection: { certificates } }) {
      const signature = await readSignature(pdfBytes(message.payload), { certificates })
      return { set: { signature }, ...OUTPUTS[signature.verdict] }
    },
  })
}

const NOT_OURS = { output: 1, shown: { tone: 'bad', key: 'notOurs' } } as const
const OUTPUTS: Readonly<Record<Signature['verdict'], { output: number; shown: Shown }>> = {
  valid: { output: 0, shown: { tone: 'good', key: 'signatureValid' } },
  unknown: NOT_OURS,
  none: NOT_OURS,
  changed: { output: 2, shown: { tone: 'bad', key: 'changed' } },
}
