/** The seal of what the nodes of one Node-RED keep of messages; made when it is first needed. */
import { journalOf } from '../database/journal-choice.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Runtime } from '../runtime/node-red.ts'
import { createSeal, type Seal } from './seal.ts'
import { sealSecret } from './secret.ts'

/** The function throws a NodeError when there is no secret that opens what is kept: NO_SEAL_KEY, or NO_SHARED_SECRET. */
export function sealOf({ settings, nodes }: Pick<Runtime, 'settings' | 'nodes'>): () => Seal {
  let seal: Seal | undefined
  return () => {
    seal ??= createSeal(secretsOf({ settings, nodes }))
    return seal
  }
}

function secretsOf(runtime: Pick<Runtime, 'settings' | 'nodes'>) {
  const { settings } = runtime
  const choice = journalOf(runtime)
  if ('folder' in choice) return sealSecret(settings, choice.folder)
  const { credentialSecret } = settings
  if (typeof credentialSecret === 'string' && credentialSecret !== '') return [credentialSecret]
  throw new NodeError(
    'NO_SHARED_SECRET',
    'credentialSecret of the Node-RED settings is not set, so other processes could not read what this one keeps in the shared journal. ' +
      'Set the same credentialSecret for all of them.',
  )
}
