/**
 * The door of the service for other programs. It loads the service when one is made: where Node.js is too old for that, loading it
 * would fail with the name of a module, and not with a sentence.
 */
import '../lib/floor.ts'
import type { Service, ServiceOptions } from './service.ts'

export { SettingsError } from '../lib/settings.ts'
export type { ServiceSettings } from './config.ts'
export type { PdfPool, PdfPoolOptions } from './pdf/workers/pool.ts'
export type { Lifetime, SeededKey, Service, ServiceOptions } from './service.ts'
export type { Resolve, ResolvedAddress } from './workers/delivery/resolve.ts'

/**
 * Opens the store and puts the service together. Rejects with a sentence that says what to do.
 * @throws SettingsError that names every setting that is wrong or unknown
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { createService } = await import('./index.ts')
  return createService(options)
}
