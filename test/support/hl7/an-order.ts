/** A message about a document to be signed, as a hospital sends it. Its parts can be changed one by one. */
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n').toString('base64')

/** Segments by name; null leaves one out, and a list stands for several. */
export type Segments = Readonly<Record<string, string | readonly string[] | null>>

export const mdm: Segments = {
  MSH: 'MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||MDM^T02^MDM_T02|MSG1|P|2.5.1',
  PID: 'PID|1||WC100098^^^WILLOW^MR||Rowan^Tess^May^^^^L||19520607|F|||98 Birch Lane^^Duluth^MN^55802^^H||2185550198^PRN^PH',
  PV1: 'PV1|1|O|WARD^^^LAKE',
  TXA: 'TXA|1|CMS485^Plan of care|AP|20260115093000||||||9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI||DOC-000123^EPIC',
  OBX: `OBX|1|ED|PDF^Document||^application^pdf^Base64^${PDF}`,
}

export const oru: Segments = {
  ...mdm,
  MSH: 'MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||ORU^R01|MSG1|P|2.5.1',
  TXA: null,
  OBR: 'OBR|1|P-77^EPIC|F-88^LAB|CMS485^Plan of care|||20260115093000|||||||||9999900019^Marsh^Helen^^^^^^NPI',
}

/** The segments whose places matter to one another; all others follow. */
const ORDER = ['MSH', 'PID', 'PV1', 'ORC', 'OBR', 'TXA', 'OBX']
const placeOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

/** Returns the bytes of the message, its segments in the order of the standard. */
export function anOrder(changes: Segments = {}, base: Segments = mdm): Uint8Array {
  const named = Object.entries({ ...base, ...changes }).toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const segments = named.flatMap(([, segment]) => segment ?? [])
  return Buffer.from(segments.map((segment) => `${segment}\r`).join(''))
}
