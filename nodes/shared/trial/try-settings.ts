/** Tries the settings that are typed in the form of a configuration node, deployed or not. Answers never hold a key. */
import type { Clock } from '../../../lib/clock.ts'
import { defaultFolder } from '../database/journal-choice.ts'
import { migrated } from '../form/migration.ts'
import type { Config, Runtime } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'
import { transportOf } from '../service/connector.ts'
import { settingsOf } from '../service/settings.ts'
import { filledIn } from './filled-in.ts'
import type { Row } from './row.ts'
import { tryCallbacks } from './try-callbacks.ts'
import { tryEmbedded } from './try-embedded.ts'
import { tryHost } from './try-host.ts'

export interface Typed {
  id: string
  /** The properties of the form, as they would be stored. */
  properties: Record<string, unknown>
  /** The key when one was typed. Optional; the stored one by default. */
  apiKey?: string
}

/** A person waits for the answer. */
const LONGEST_MS = 15_000

export async function trySettings(runtime: Runtime, { id, properties, apiKey }: Typed, clock: Clock): Promise<Row[]> {
  const type = 'countersign-service'
  const stored = runtime.nodes.getCredentials(id)?.apiKey
  const typed = await filledIn(runtime, { ...properties, id, type, apiKey: apiKey ?? stored })
  const { apiKey: key, ...config } = migrated(typed as Config)
  const all = settingsOf(config as Config, defaultFolder(runtime))
  const settings = { ...all, timeoutMs: Math.min(all.timeoutMs, LONGEST_MS) }
  const deployed = runtime.nodes.getNode(id) as ServiceNode | null
  const transport = () => transportOf(runtime, config as Config, key === undefined ? undefined : String(key))
  const [rows, callbacks] = await Promise.all([
    settings.embedded ? tryEmbedded(settings, deployed) : tryHost(settings, transport, clock),
    tryCallbacks(runtime, id, settings.timeoutMs),
  ])
  return [...rows, ...callbacks]
}
