/** The seal of what the nodes of one Node-RED keep of messages; made when it is first needed. */
import { join } from 'node:path'
import type { Runtime } from '../runtime/node-red.ts'
import { createSeal, type Seal } from './seal.ts'
import { sealSecret } from './secret.ts'

export function sealOf({ settings }: Pick<Runtime, 'settings'>): () => Seal {
  let seal: Seal | undefined
  return () => {
    seal ??= createSeal(sealSecret(settings, join(settings.userDir ?? '.', 'countersign')))
    return seal
  }
}
