/** Writes a result to a FHIR base, so that the same result is there once, however often it is sent. */
import type { FhirBase, Resource, Written } from './fhir-base.ts'

/** A result, and how it is found again. */
export interface ToWrite {
  /** A resource, or a transaction Bundle whose last entry is what the search finds. */
  resource: Resource
  /** The search that finds the result once the server has it. */
  ifNoneExist: string
  /** The reference to the DocumentReference that is to be superseded once the result is there. Optional; none by default. */
  supersedes?: string
}

/** Resolves with where the result is. */
export async function writeOnce(base: FhirBase, result: ToWrite, signal?: AbortSignal): Promise<Written> {
  const written = await resultWritten(base, result, signal)
  if (result.supersedes !== undefined) await supersede(base, result.supersedes, signal)
  return written
}

/** A server of MHD may have superseded the document itself, and a document in any other status is not current. */
async function supersede(base: FhirBase, reference: string, signal?: AbortSignal): Promise<void> {
  const found = await base.read(reference.replace(/\/_history\/[^/]*$/, ''), signal)
  if (found?.resource.resourceType === 'DocumentReference' && found.resource.status === 'current')
    await base.update({ ...found.resource, status: 'superseded' }, signal)
}

async function resultWritten(
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
