/** The sample messages that come with the package: what becomes of each, and that the examples send the same ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { mapFhir } from '../../lib/mapping/map-fhir.ts'
import { readMapFile } from '../../lib/mapping/map-file.ts'
import { mapFiles } from '../../lib/mapping/map-files.ts'
import { mapHl7 } from '../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../lib/mapping/mapped.ts'
import { root } from '../support/built.ts'
import {
  kinds,
  mapOf,
  mapPath,
  mappedTo,
  type Sample,
  type SampleKind,
  sample,
  samples,
} from '../support/hl7/samples.ts'
import { exampleFlow } from '../support/node-red/examples/examples.ts'
import type { FlowNode } from '../support/node-red/node-red.ts'
import { countersign } from '../support/service/served.ts'

/** As the command does, which says no origins unless it is asked. */
function mapped({ kind, path }: Sample): Mapped {
  const map = readMapFile(mapOf(kind))
  const bytes = readFileSync(path)
  const pdf = () => readFileSync(path.replace(/\.(json|csv)$/, '.pdf'))
  const result = {
    hl7: () => mapHl7(bytes, map),
    fhir: () => mapFhir(JSON.parse(String(bytes)), map),
    files: () => mapFiles({ index: bytes, kind: path.endsWith('.csv') ? 'csv' : 'json', pdf: pdf() }, map),
  }[kind]()
  if (!result.ok || result.action === 'retract') return result
  const { origins: _, ...rest } = result
  return rest as Mapped
}

/** The example that tells the story of each kind, and the node that has its map. */
const stories: Record<SampleKind, [example: string, mapper: string]> = {
  hl7: ['Send an order from HL7', 'countersign-order-from-hl7'],
  fhir: ['FHIR round trip', 'countersign-order-from-fhir'],
  files: ['Orders from a folder', 'countersign-order-from-files'],
}

describe('the samples', () => {
  it('are eleven messages in HL7 v2, two Bundles, and three PDFs with an index, and ship with the package', () => {
    const counted = kinds.map((kind) => samples.filter((each) => each.kind === kind).length)
    expect(counted).to.deep.equal([11, 2, 3])
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).files).to.include('samples')
  })

  for (const each of samples)
    it(`${each.kind}/${each.name} becomes what its file in samples/mapped says`, () => {
      // As JSON, which the file is.
      expect(JSON.parse(JSON.stringify(mapped(each)))).to.deep.equal(mappedTo(each))
    })

  for (const [kind, name] of [
    ['hl7', 'latin-1'],
    ['hl7', 'two-pdfs'],
    ['fhir', 'service-request'],
    ['files', 'three-pages'],
  ] as const)
    it(`${kind}/${name} is what countersign map prints`, async () => {
      const { path } = samples.find((each) => each.kind === kind && each.name === name)!
      const { code, stdout } = await countersign(['map', '--from', kind, '--map', mapPath(kind), path])
      const golden = mappedTo({ kind, name })
      expect({ code, said: JSON.parse(stdout) }).to.deep.equal({ code: golden.ok ? 0 : 1, said: golden })
    })

  for (const kind of kinds)
    it(`of the kind ${kind} are mapped as in the example`, () => {
      const [example, mapper] = stories[kind]
      const { map } = exampleFlow(example).find(({ type }) => type === mapper)!
      expect(JSON.parse(String(map))).to.deep.equal(mapOf(kind))
    })

  it('name no NPI that somebody could have', () => {
    const npis = samples.flatMap((each) => JSON.stringify(mappedTo(each)).match(/(?<=NPI":")\d+/g) ?? [])
    expect(npis).to.not.be.empty
    for (const npi of npis) expect(npi).to.match(/^9999/)
  })
})

describe('what the examples send', () => {
  const changedTo = (example: string, name: string, property: string): string => {
    const { rules } = exampleFlow(example).find((node) => node.name === name) as FlowNode & { rules: Rule[] }
    return rules.find(({ p }) => p === property)!.to
  }
  const pdfIn = (example: string, button: string) => {
    const inject = exampleFlow(example).find(({ name }) => name === button) as FlowNode & {
      props: { p: string; v?: string }[]
    }
    return inject.props.find(({ p }) => p === 'pdf')?.v ?? String(inject.payload)
  }

  for (const [example, button] of [
    ['Send an order from HL7', 'Send the order'],
    ['Receive orders over HTTP', 'Send an order'],
    ['Correct an order that was held', '1 Send an unknown code'],
  ] as const)
    it(`in ${example} is hl7/plan-of-care, but for ids, times and the code`, () => {
      const literals = changedTo(example, 'as MDM^T02', 'payload').split(/' & (?:[^'\n]|'\[[^']*')*? & '|'\n & '/)
      const constant = literals.map((text) =>
        text.replace(/^'|'$/g, '').replaceAll('\\\\', '\\').replaceAll('\\r', '\r'),
      )
      let rest = sample('hl7', 'plan-of-care').toString()
      for (const text of constant) {
        expect(rest).to.contain(text)
        const at = rest.indexOf(text)
        expect(rest.slice(0, at)).to.not.match(/[|^\r]/)
        rest = rest.slice(at + text.length)
      }
      expect(rest).to.equal('')
      expect(sample('hl7', 'plan-of-care').toString()).to.contain(`^Base64^${pdfIn(example, button)}\r`)
    })

  /** A JSONata object, with JSON in the place of its expressions. */
  const filledIn = (text: string, expressions: Record<string, string>) =>
    JSON.parse(Object.entries(expressions).reduce((filled, [from, to]) => filled.replace(from, to), text))

  it('in FHIR round trip is fhir/document-reference, but for ids and times', () => {
    const example = 'FHIR round trip'
    const bundle = filledIn(changedTo(example, 'as a Bundle', 'payload'), {
      '"FHIR-" & _msgid': '"FHIR-1"',
      'pdf }': `${JSON.stringify(pdfIn(example, 'Send the order'))} }`,
      '$now("[Y0001]-[M01]-[D01]")': '"2026-01-15"',
    })
    expect(bundle).to.deep.equal(JSON.parse(sample('fhir', 'document-reference').toString()))
  })

  it('in Orders from a folder is files/plan-of-care, but for ids and times', () => {
    const example = 'Orders from a folder'
    const index = changedTo(example, 'its index', 'payload').replaceAll("'", '"')
    expect(
      filledIn(index, {
        order: '"order-1"',
        code: '"485"',
        '$now("[Y0001]-[M01]-[D01]")': '"2026-01-15"',
      }),
    ).to.deep.equal(JSON.parse(sample('files', 'plan-of-care').toString()))
    const pdf = readFileSync(join(root, 'samples/files/plan-of-care.pdf'))
    expect(pdfIn(example, 'Drop a document')).to.equal(pdf.toString('base64'))
  })
})

interface Rule {
  p: string
  to: string
}
