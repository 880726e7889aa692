/** Looks up a provider, the document types or the templates. lib/client caches the answers. */
import { Npi } from '../lib/contract/primitives.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

const FOUND = { output: 0, shown: { tone: 'good', key: 'found' } } as const
const NOT_FOUND = { output: 1, shown: { tone: 'idle', key: 'notFound' } } as const

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-look-up',
    inputs: (config) => (config.what === 'provider' ? { npi: Npi } : {}),
    async work({ inputs, config, connection: { lookUps } }) {
      if (config.what === 'documentTypes') return { set: { payload: await lookUps.documentTypes() }, ...FOUND }
      if (config.what === 'templates') return { set: { payload: await lookUps.templates() }, ...FOUND }
      const npi = inputs.npi as string
      const provider = await lookUps.provider(npi)
      return { set: { payload: provider, npi }, ...(provider ? FOUND : NOT_FOUND) }
    },
  })
}
