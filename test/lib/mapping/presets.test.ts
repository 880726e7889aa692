/** A message for each preset, as its public source shows or describes it, and what becomes of it by a map with the preset alone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { type PresetName, presetNames } from '../../../lib/mapping/presets/presets.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { root } from '../../support/built.ts'

const folder = join(import.meta.dirname, '../../fixtures/presets')

/** What only the two parties know. */
const own: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101 } },
  signers: { '1173': '9999900019', MARSHH: '9999900019' },
}

interface Golden {
  file: string
  externalId: string
  externalDocId: string
}

const golden: Record<PresetName, Golden> = {
  'hl7-mdm': { file: 'hl7-mdm.hl7', externalId: 'WILLOW|WC100001', externalDocId: 'EHR|DOC-1' },
  'hl7-oru': { file: 'hl7-oru.hl7', externalId: 'WILLOW|WC100001', externalDocId: 'LAB|F-2' },
  'hl7-orm': { file: 'hl7-orm.hl7', externalId: 'WILLOW|WC100001', externalDocId: 'EHR|P-3' },
  'fhir-document-reference': {
    file: 'fhir-document-reference.json',
    externalId: 'urn:willow:mrn|WC100001',
    externalDocId: 'urn:willow:docs|DOC-4',
  },
  'fhir-service-request': {
    file: 'fhir-service-request.json',
    externalId: 'urn:willow:mrn|WC100001',
    externalDocId: 'urn:willow:orders|ORD-5',
  },
  'fhir-bundle': {
    file: 'fhir-bundle.json',
    externalId: 'urn:willow:mrn|WC100001',
    externalDocId: 'urn:willow:orders|ORD-6',
  },
  'epic-like': { file: 'epic-like.hl7', externalId: 'EPIC|20891312', externalDocId: 'EPIC|987654' },
  'oracle-like': {
    file: 'oracle-like.json',
    externalId: 'urn:oid:1.2.36.146.595.217.0.1|WC100001',
    externalDocId: 'urn:oracle:docs|DOC-8',
  },
  'meditech-like': { file: 'meditech-like.hl7', externalId: 'WIL|M000100001', externalDocId: 'OM|20260116-0009' },
}

const read = (preset: PresetName) => readFileSync(join(folder, golden[preset].file))
const mapped = (message: Uint8Array, map: MapFileInput): Mapped =>
  message[0] === 0x7b ? mapFhir(JSON.parse(String(message)), readMapFile(map)) : mapHl7(message, readMapFile(map))
const held = (result: Mapped) => (result.ok ? [] : result.held)

describe('Presets of maps', () => {
  for (const preset of presetNames)
    it(`${preset} maps its message`, () => {
      const result = mapped(read(preset), { ...own, preset })
      if (!result.ok || result.action === 'retract') throw new Error(JSON.stringify(result))
      const { patient, performers, document } = result.body
      expect({ externalId: patient.externalId, externalDocId: document.externalDocId }).to.deep.equal({
        externalId: golden[preset].externalId,
        externalDocId: golden[preset].externalDocId,
      })
      expect(performers[0]?.signer.userNPI).to.equal('9999900019')
      expect(document).to.include({ documentTypeId: 101, effectiveDate: '2026-01-15' })
    })

  it('hold the messages of others', () => {
    expect(held(mapped(read('hl7-mdm'), { ...own, preset: 'hl7-oru' }))).to.deep.equal([
      'MSH-9: the map does not accept MDM, only ORU',
    ])
    expect(held(mapped(read('fhir-bundle'), { ...own, preset: 'fhir-document-reference' }))).to.deep.equal([
      'resourceType: the map does not accept Bundle, only DocumentReference',
    ])
  })

  it('that know senders with ids of their own take ten digits for an NPI only where it says so', () => {
    const unlabelled = String(read('meditech-like')).replace('MARSHH', '9999900027')
    const reason = 'ORC-12: is not an NPI, and is not in signers of the map'
    expect(held(mapped(Buffer.from(unlabelled), { ...own, preset: 'meditech-like' }))).to.deep.equal([reason])
    expect(mapped(Buffer.from(unlabelled), { ...own, preset: 'hl7-orm' }).ok).to.equal(true)
  })

  it('know ids of patients that a map without a preset does not', () =>
    expect(held(mapped(read('epic-like'), own))).to.deep.equal([
      'PID-3: has no id of the type MR, or PI, from the authority in mrnAuthority; the types there are EPI',
    ]))

  it('count less than the values of the map', () => {
    const map = readMapFile({ preset: 'epic-like', accepts: ['MDM'], signerIds: 'any' })
    expect(map).to.deep.include({ accepts: ['MDM'], signerIds: 'any', patientIdTypes: ['MR', 'EPI'] })
    expect(map).to.deep.include({ pdf: 'hold', ssn: 'last4' })
  })

  it('must be known', () =>
    expect(() => readMapFile({ preset: 'epic', ssn: 'all' }))
      .to.throw(SettingsError)
      .with.property('errors')
      .that.has.length(2))

  it('are offered by the form that maps such messages', () => {
    const form = (kind: string) => readFileSync(join(root, `nodes/order-from-${kind}.html`), 'utf8')
    for (const name of presetNames) {
      const isHl7 = golden[name].file.endsWith('.hl7')
      expect(form('hl7').includes(`<option>${name}</option>`), name).to.equal(isHl7)
      expect(form('fhir').includes(`<option>${name}</option>`), name).to.equal(!isHl7)
    }
  })

  it('are in the guide, each with its source', () => {
    const guide = readFileSync(join(root, 'docs/guides/mapping.md'), 'utf8')
    for (const name of presetNames) expect(guide).to.match(new RegExp(`^\\| \`${name}\` +\\|.*http`, 'm'))
  })
})
