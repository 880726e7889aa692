/** The resources of a message: one alone, with what it contains, or those of a Bundle. Resolves references among them. Pure. */
import * as z from 'zod'
import { describeIssues } from '../../contract/error.ts'
import type { Findings } from '../findings.ts'
import { baseOf, keyOf, keysOf, pathOf, versionIn, wanted } from './reference-keys.ts'
import type { Reference } from './resources.ts'
import { holdModified } from './standing.ts'

const Resource = z.looseObject({ resourceType: z.string(), id: z.string().optional() })
type Resource = z.infer<typeof Resource>
const Containing = z.looseObject({ contained: z.array(Resource).default([]) })
const Bundle = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.looseObject({ fullUrl: z.string().optional(), resource: Resource.optional() })).default([]),
})

const Codings = z.array(z.looseObject({ code: z.unknown() })).default([])

const Methods = z.looseObject({
  entry: z.array(z.looseObject({ request: z.looseObject({ method: z.unknown() }).optional() })),
})

/** A resource, and the URL that it is known by. */
export interface Entry {
  /** Empty when the message does not say. */
  url: string
  /** The resource as it came. */
  resource: Resource
  /** The reference under which it was read; undefined for what is in the message. */
  reference?: string
}

export interface Collection {
  /** The type of the message: `Bundle`, or that of the one resource. */
  readonly type: string
  /** Returns the resources of a type, other than those that others contain. */
  ofType(type: string): unknown[]
  /**
   * Returns what a reference names. Null, and the message is held, when it is not in the message, is there twice, or is of another
   * shape. `owner` is the resource that holds the reference: its own URL, or that of its container, says what is meant.
   */
  resolve<T>(reference: Reference, place: string, schema: z.ZodType<T>, owner: unknown, findings: Findings): T | null
  /** Returns the URL under which the message has a resource; empty when it does not say. */
  urlOf(resource: unknown): string
  /** Returns a relative reference as an absolute one, where the message says on which server its resource is; any other as it is. */
  absolute(reference: string, owner: unknown): string
  /** Returns what a reference names, as it came; undefined when the message does not have it. */
  find(reference: Reference, owner: unknown): unknown
  /** Whether the message has what a reference names, of this type. */
  has(reference: Reference, type: string, owner: unknown): boolean
  /** Whether two references lead to one resource, in the message or elsewhere. */
  isSame(one: Reference, owner: unknown, other: Reference, otherOwner: unknown): boolean
  /** Holds the message when the Bundle itself, or an entry of it, changes the meaning of what it holds. */
  holdEnvelope(findings: Findings): void
  /** The types of the resources that say of themselves that they are for tests. */
  readonly tests: readonly string[]
  /** The references that were followed and led to nothing here, as they are to be read; those to contained resources omitted. */
  readonly missing: ReadonlySet<string>
}

/** A resource with all the keys under which references lead to it. */
interface Known {
  resource: Resource
  url: string
  /** The base of its URL; null when the message does not say on which server it is. */
  base: string | null
  keys: readonly string[]
  /** The resource that contains it. */
  container: Known | null
  contained: Known[]
}

/** Returns null when it is no resource of FHIR. `fetched` are resources that the message refers to and does not hold. */
export function collectionOf(json: unknown, fetched: readonly Entry[] = []): Collection | null {
  const own = entriesOf(json)
  if (own === null) return null
  const { resourceType: type } = json as Pick<Resource, 'resourceType'>
  const home = homeOf(fetched)
  const known = [...own, ...fetched].map((entry) => knownOf(entry, home))
  const byResource = new Map<unknown, Known>(
    known.flatMap((one) => [one, ...one.contained]).map((one) => [one.resource, one]),
  )
  const byKey = new Map<string, Known[]>()
  for (const one of known)
    for (const key of new Set(one.keys)) {
      const same = byKey.get(key)
      if (same) same.push(one)
      else byKey.set(key, [one])
    }
  const missing = new Set<string>()
  const contextOf = (owner: unknown) => {
    const found = byResource.get(owner)
    return found?.container ?? found
  }
  const keys = ({ reference = '' }: Reference, owner: unknown) => keysOf(reference, contextOf(owner), home)

  function named(reference: Reference, owner: unknown): Known[] {
    const name = reference.reference ?? ''
    if (name === '') return []
    const context = contextOf(owner)
    if (name === '#') return context ? [context] : []
    if (name.startsWith('#'))
      return (context?.contained ?? []).filter(({ resource }) => resource.id?.replace(/^#/, '') === name.slice(1))
    const found = new Set(keys(reference, owner).flatMap((key) => byKey.get(key) ?? []))
    return found.size < 2 ? [...found] : known.filter((one) => found.has(one))
  }
  const miss = ({ reference = '' }: Reference, owner: unknown) => {
    if (reference !== '' && !reference.startsWith('#')) missing.add(wanted(reference, contextOf(owner), home))
  }

  return {
    type,
    missing,
    tests: [...new Set([json, ...byResource.keys()].flatMap(testIn))],
    ofType: (type) => own.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type),
    has(reference, type, owner) {
      const found = named(reference, owner)
      if (found.length === 0 && isOfType(reference, type)) miss(reference, owner)
      return found.some(({ resource }) => resource.resourceType === type)
    },
    urlOf: (resource) => byResource.get(resource)?.url ?? '',
    absolute: (reference, owner) => (contextOf(owner)?.base ? wanted(reference, contextOf(owner), null) : reference),
    find: (reference, owner) => named(reference, owner)[0]?.resource,
    isSame(one, owner, other, otherOwner) {
      const [found, foundToo] = [named(one, owner)[0], named(other, otherOwner)[0]]
      if (found !== undefined || foundToo !== undefined) return found === foundToo
      return keys(one, owner).some((key) => keys(other, otherOwner).includes(key))
    },
    holdEnvelope(findings) {
      if (known.some(hasOtherId)) findings.hold('Bundle.entry.fullUrl', 'has another id than the resource of its entry')
      if (type !== 'Bundle') return
      holdModified(json, findings)
      if (own.some(({ resource }) => resource.resourceType === 'Bundle'))
        findings.hold('Bundle.entry.resource', 'is a Bundle within the Bundle; send each in a message of its own')
      const methods = Methods.safeParse(json).data?.entry.flatMap(({ request }) => request?.method ?? []) ?? []
      if (methods.some((method) => !['POST', 'PUT'].includes(String(method))))
        findings.hold('Bundle.entry.request.method', 'is not POST or PUT, so the entry does not bring a resource')
    },
    resolve(reference, place, schema, owner, findings) {
      const found = named(reference, owner)
      const [first] = found
      if (first === undefined) {
        miss(reference, owner)
        findings.hold(place, 'refers to a resource that is not in the message')
      } else if (found.length > 1) findings.hold(place, 'refers to a resource that is in the message twice')
      else if (isOtherVersion(reference, first.resource))
        findings.hold(place, 'refers to another version of a resource than the one that was read')
      else return parsed(first.resource, place, schema, findings)
      return null
    },
  }
}

const Labelled = z.looseObject({
  resourceType: z.string(),
  meta: z.looseObject({ security: Codings, tag: Codings }),
})

/** Returns the type of a resource whose labels have the code HTEST (ActReason), as MSH-11 of HL7 v2 has T. */
function testIn(resource: unknown): string[] {
  const { data } = Labelled.safeParse(resource)
  return data && [...data.meta.security, ...data.meta.tag].some(({ code }) => code === 'HTEST')
    ? [data.resourceType]
    : []
}

/** Returns the base of the server at which relative references of a message without URLs were found. */
function homeOf(fetched: readonly Entry[]): string | null {
  for (const { url, reference } of fetched) {
    const path = reference === undefined ? '' : pathOf(reference)
    if (path !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(path) && keyOf(url).endsWith(`/${path}`))
      return keyOf(url).slice(0, -path.length - 1)
  }
  return null
}

function knownOf({ url, resource, reference }: Entry, home: string | null): Known {
  const base = baseOf(url, resource.resourceType)
  const path = `${resource.resourceType}/${resource.id ?? ''}`
  const isPlaced = base !== null || resource.id === undefined
  const keys = [
    ...(url === '' ? [] : [keyOf(url)]),
    ...(isPlaced ? [] : [`./${path}`, ...(home === null ? [] : [`${home}/${path}`])]),
    ...(reference === undefined ? [] : keysOf(reference, undefined, null)),
  ]
  const one: Known = { resource, url, base, keys, container: null, contained: [] }
  const read = Containing.safeParse(resource)
  for (const inner of read.success ? read.data.contained : [])
    one.contained.push({ resource: inner, url: '', base, keys: [], container: one, contained: [] })
  return one
}

const Versioned = z.looseObject({ meta: z.looseObject({ versionId: z.string() }) })

/** Whether a reference names a version, and the resource says that it is another one. */
function isOtherVersion({ reference = '' }: Reference, resource: Resource): boolean {
  const version = versionIn(reference)
  const { data } = Versioned.safeParse(resource)
  return version !== null && data !== undefined && data.meta.versionId !== version
}

/** Whether the URL of a resource ends with another id than its own: which of the two references mean is uncertain. */
const hasOtherId = ({ url, base, resource: { id } }: Known): boolean =>
  base !== null && id !== undefined && keyOf(url).split('/').at(-1) !== id

/** Whether a reference says that it leads to this type: `Patient/7`, relative or absolute. */
const isOfType = ({ reference = '' }: Reference, type: string): boolean =>
  `/${pathOf(reference)}`.split('/').at(-2) === type

/** Returns null, and holds the message, when the resource is of another shape or something changes its meaning. */
export function parsed<T>(resource: unknown, place: string, schema: z.ZodType<T>, findings: Findings): T | null {
  holdModified(resource, findings)
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
