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

/** A resource, and the URL that it is known by. */
export interface Entry {
  /** Empty when the message does not say. */
  url: string
  /** As it came. */
  resource: Resource
}

export interface Collection {
  /** The type of the message: `Bundle`, or that of the one resource. */
  readonly type: string
  /** Returns the resources of a type, other than those that others contain. */
  ofType(type: string): unknown[]
  /**
   * Returns what a reference names. Null, and the message is held, when it is not in the message, is there twice, or is of another
   * shape. `owner` is the resource that holds the reference, for those that it contains.
   */
  resolve<T>(reference: Reference, place: string, schema: z.ZodType<T>, owner: unknown, findings: Findings): T | null
  /** Returns the URL under which the message has a resource; empty when it does not say. */
  urlOf(resource: unknown): string
  /** Returns what a reference names, as it came; undefined when the message does not have it. */
  find(reference: Reference, owner: unknown): unknown
  /** Whether the message has what a reference names, of this type. */
  has(reference: Reference, type: string, owner: unknown): boolean
  /** The references, as they stand, that were followed and led to nothing here; those to contained resources left out. */
  readonly missing: ReadonlySet<string>
}

/** Returns null when it is no resource of FHIR. `fetched` are resources that the message refers to and does not hold. */
export function collectionOf(json: unknown, fetched: readonly Entry[] = []): Collection | null {
  const own = entriesOf(json)
  if (own === null) return null
  const { resourceType: type } = json as Pick<Resource, 'resourceType'>
  const entries = [...own, ...fetched]
  const missing = new Set<string>()

  function named(reference: Reference, owner: unknown): Resource[] {
    const name = (reference.reference ?? '').replace(/\/_history\/[^/]+$/, '')
    if (name.startsWith('#')) return containedIn(owner).filter(({ id = '' }) => id.replace(/^#/, '') === name.slice(1))
    const isNamed = ({ url, resource: { resourceType, id } }: Entry) =>
      name !== '' && (url === name || `${resourceType}/${id ?? ''}` === name || url.endsWith(`/${name}`))
    return entries.filter(isNamed).map(({ resource }) => resource)
  }
  const miss = ({ reference = '' }: Reference) => {
    if (reference !== '' && !reference.startsWith('#')) missing.add(reference)
  }

  return {
    type,
    missing,
    ofType: (type) => own.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type),
    has(reference, type, owner) {
      const found = named(reference, owner)
      if (found.length === 0 && isOfType(reference, type)) miss(reference)
      return found.some(({ resourceType }) => resourceType === type)
    },
    urlOf: (resource) => entries.find((entry) => entry.resource === resource)?.url ?? '',
    find: (reference, owner) => named(reference, owner)[0],
    resolve(reference, place, schema, owner, findings) {
      const found = named(reference, owner)
      const [resource] = found
      if (resource === undefined) {
        miss(reference)
        findings.hold(place, 'refers to a resource that is not in the message')
      } else if (found.length > 1) findings.hold(place, 'refers to a resource that is in the message twice')
      else return parsed(resource, place, schema, findings)
      return null
    },
  }
}

/** Whether a reference says that it leads to this type: `Patient/7`, relative or absolute. */
const isOfType = ({ reference = '' }: Reference, type: string): boolean =>
  `/${reference}`
    .replace(/\/_history\/[^/]+$/, '')
    .split('/')
    .at(-2) === type

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
