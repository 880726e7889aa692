/** Writes a result to a FHIR base, so that the same result is there once, however often it is sent. */
import type { FhirBase, Resource, Written } from './fhir-base.ts'

/** A result, and how it is found again. */
export interface ToWrite {
  /** A resource, or a transaction Bundle whose last entry is what the search finds. */
  resource: Resource
  /** The search that finds the result once the server has it. */
  ifNoneExist: string
}

/** Resolves with where the result is. */
export async function writeOnce(
  base: FhirBase,
  { resource, ifNoneExist }: ToWrite,
  signal?: AbortSignal,
): Promise<Written> {
  if (resource.resourceType !== 'Bundle') {
    const written = await base.create(resource, ifNoneExist, signal)
    // Of what it had already, a server need not say where it is.
    const location = written.location ?? (await base.find(resource.resourceType, ifNoneExist, signal))
    return { ...written, location }
  }
  // In a transaction, only the DocumentReference is created on a condition; its Binary would be there twice.
  const found = await base.find('DocumentReference', ifNoneExist, signal)
  if (found !== null) return { isNew: false, location: found }
  const written = await base.transact(resource, signal)
  return written.at(-1) ?? { isNew: true, location: null }
}
