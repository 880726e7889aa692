/** What becomes of a Bundle by the usual map, and the usual Bundle with a change. */
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { aBundle, document, patient, practitioner } from './a-bundle.ts'

const usual: MapFileInput = { documentTypes: { '52030-8': { documentTypeId: 101 } } }

export const mappedBundle = (json: unknown, map: MapFileInput = {}): Mapped =>
  mapFhir(json, readMapFile({ ...usual, ...map }))

export const withPatient = (change: object): object => aBundle(document, { ...patient, ...change }, practitioner)
export const withDocument = (change: object): object => aBundle({ ...document, ...change }, patient, practitioner)
