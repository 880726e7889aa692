/** The resources of a message: one alone, with what it contains, or those of a Bundle. Resolves references among them. Pure. */
import * as z from 'zod'
import { describeIssues } from '../../contract/error.ts'
import type { Findings } from '../findings.ts'
import type { Reference } from './resources.ts'

const Resource = z.looseObject({ resourceType: z.string(), id: z.string().optional() })
type Resource = z.infer<typeof Resource>
const Containing = z.looseObject({ contained: z.array(Resource).default([]) })
const Bundle = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.looseObject({ fullUrl: z.string().optional(), resource: Resource.optional() })).default([]),
})

interface Entry {
  /** Empty when the message does not say. */
  url: string
  resource: Resource
}

export interface Collection {
  /** Returns the resources of a type, other than those that others contain. */
  ofType(type: string): unknown[]
  /**
   * Returns what a reference names. Null, and the message is held, when it is not in the message, is there twice, or is of another
   * shape. `owner` is the resource that holds the reference, for those that it contains.
   */
  resolve<T>(reference: Reference, place: string, schema: z.ZodType<T>, owner: unknown, findings: Findings): T | null
  /** Returns what a reference names, as it came; undefined when the message does not have it. */
  find(reference: Reference, owner: unknown): unknown
  /** Whether the message has what a reference names, of this type. */
  has(reference: Reference, type: string, owner: unknown): boolean
}

/** Returns null when it is no resource of FHIR. */
export function collectionOf(json: unknown): Collection | null {
  const entries = entriesOf(json)
  if (entries === null) return null

  function named(reference: Reference, owner: unknown): Resource[] {
    const name = (reference.reference ?? '').replace(/\/_history\/[^/]+$/, '')
    if (name.startsWith('#')) return containedIn(owner).filter(({ id = '' }) => id.replace(/^#/, '') === name.slice(1))
    const isNamed = ({ url, resource: { resourceType, id } }: Entry) =>
      name !== '' && (url === name || `${resourceType}/${id ?? ''}` === name || url.endsWith(`/${name}`))
    return entries!.filter(isNamed).map(({ resource }) => resource)
  }

  return {
    ofType: (type) => entries.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type),
    has: (reference, type, owner) => named(reference, owner).some(({ resourceType }) => resourceType === type),
    find: (reference, owner) => named(reference, owner)[0],
    resolve(reference, place, schema, owner, findings) {
      const found = named(reference, owner)
      const [resource] = found
      if (resource === undefined) findings.hold(place, 'refers to a resource that is not in the message')
      else if (found.length > 1) findings.hold(place, 'refers to a resource that is in the message twice')
      else return parsed(resource, place, schema, findings)
      return null
    },
  }
}

/** Returns null, and holds the message, when the resource is of another shape. */
export function parsed<T>(resource: unknown, place: string, schema: z.ZodType<T>, findings: Findings): T | null {
  const read = schema.safeParse(resource)
  if (read.success) return read.data
  for (const issue of describeIssues(read.error)) findings.hold(place, issue)
  return null
}

function entriesOf(json: unknown): Entry[] | null {
  const bundle = Bundle.safeParse(json)
  if (bundle.success)
    return bundle.data.entry.flatMap(({ fullUrl = '', resource }) => (resource ? [{ url: fullUrl, resource }] : []))
  const one = Resource.safeParse(json)
  return one.success && one.data.resourceType !== 'Bundle' ? [{ url: '', resource: one.data }] : null
}

const containedIn = (owner: unknown): Resource[] => {
  const read = Containing.safeParse(owner)
  return read.success ? read.data.contained : []
}
