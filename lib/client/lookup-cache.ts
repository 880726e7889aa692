/** Look-ups that change seldom, remembered for a while: document types, templates, providers. No patient's data. */
import type Keyv from 'keyv'
import type { DocumentType, Provider, Template } from '../contract/catalog.ts'
import type { Client } from './client.ts'
import { RefusedError } from './errors.ts'

/** Options of cached look-ups: how they are fetched, and for how long an answer is remembered. */
export interface LookUpOptions {
  /** Asked for what is not remembered. */
  client: Pick<Client, 'listDocumentTypes' | 'listTemplates' | 'findProvider'>
  /** Where answers are kept; may be shared by several keys and hosts. */
  cache: Keyv
  /** The owner of these answers: `serviceScope(baseUrl, apiKey)`. */
  scope: string
  /** Milliseconds that an answer is kept. Optional; 600,000 by default. */
  ttlMs?: number
  /**
   * Milliseconds that "no such provider" is kept. Optional; 60,000 by default. Shorter, because people look again after they have
   * enrolled someone.
   */
  absentTtlMs?: number
}

/** Every method rejects with the client's errors. */
export interface LookUps {
  /** Every document type that a task may have. */
  documentTypes(): Promise<DocumentType[]>
  /** Every template that a task may name. */
  templates(): Promise<Template[]>
  /** The active provider, or null when there is none with this NPI (the service answers 404). */
  provider(npi: string): Promise<Provider | null>
}

/** Asked twice at once, the host is asked once. A cache that fails counts as empty. */
export function createLookUps({ client, cache, scope, ttlMs = 600_000, absentTtlMs = 60_000 }: LookUpOptions): LookUps {
  const underWay = new Map<string, Promise<unknown>>()

  async function remembered<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const key = `${scope}:${name}`
    const known = await cache.get<{ answer: T }>(key).catch(() => undefined)
    if (known) return known.answer
    const asked = underWay.get(key) ?? ask().finally(() => underWay.delete(key))
    underWay.set(key, asked)
    const answer = (await asked) as T
    await cache.set(key, { answer }, answer === null ? absentTtlMs : ttlMs).catch(() => {})
    return answer
  }

  return {
    documentTypes: () => remembered('documentTypes', () => client.listDocumentTypes()),
    templates: () => remembered('templates', () => client.listTemplates()),
    provider: (npi) =>
      remembered(`provider:${npi}`, () =>
        client.findProvider({ params: { npi } }).catch((failure: unknown) => {
          if (failure instanceof RefusedError && failure.status === 404) return null
          throw failure
        }),
      ),
  }
}
