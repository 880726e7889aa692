/** The sample messages of the package, with the map of each kind and what becomes of each. */
import { globSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { root } from '../built.ts'

const folder = join(root, 'samples')

export const kinds = ['hl7', 'fhir', 'files'] as const
export type SampleKind = (typeof kinds)[number]

export interface Sample {
  kind: SampleKind
  name: string
  /** The message, or the index beside its PDF. */
  path: string
}

const ends: Record<SampleKind, string> = { hl7: '*.hl7', fhir: '*.json', files: '*.{json,csv}' }

export const mapPath = (kind: SampleKind): string => join(folder, kind, 'map.json')

export const samples: readonly Sample[] = kinds.flatMap((kind) =>
  globSync(join(folder, kind, ends[kind]))
    .filter((path) => path !== mapPath(kind))
    .toSorted()
    .map((path) => ({ kind, name: parse(path).name, path })),
)

export const sample = (kind: SampleKind, name: string): Buffer =>
  readFileSync(samples.find((each) => each.kind === kind && each.name === name)!.path)

export const mapOf = (kind: SampleKind): MapFileInput => JSON.parse(readFileSync(mapPath(kind), 'utf8'))

/** What `countersign map` prints of it. */
export const mappedTo = ({ kind, name }: Pick<Sample, 'kind' | 'name'>): Mapped =>
  JSON.parse(readFileSync(join(folder, 'mapped', kind, `${name}.json`), 'utf8'))
