/** How a document is signed: as the map says, by the template of its kind if there is one. Pure. */
import type { Annotations } from '../contract/task/document.ts'
import type { Findings } from './findings.ts'
import type { MapFile } from './map-file.ts'

const FIELD = 'document.annotations'

/** @param kind what the map has for the kind of document; undefined when the message is held */
export function annotationsOf(
  kind: MapFile['documentTypes'][string] | undefined,
  { annotations }: MapFile,
  findings: Findings,
): Annotations {
  findings.from(FIELD, 'annotations of the map')
  if (kind?.templateId === undefined) return annotations
  findings.from(`${FIELD}.templateId`, 'the table documentTypes')
  return { ...annotations, templateId: kind.templateId }
}
