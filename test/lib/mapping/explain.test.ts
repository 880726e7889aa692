import { expect } from 'chai'
import { explain } from '../../../lib/mapping/explain.ts'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { anOrder, mdm, PDF } from '../../support/hl7/an-order.ts'

const map = readMapFile({
  documentTypes: { CMS485: { documentTypeId: 101, templateId: 7 }, '52030-8': { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017' },
})

const rows = (mapped: Mapped) => {
  if (!mapped.ok || mapped.action === 'retract') throw new Error(`Not a body: ${JSON.stringify(mapped)}`)
  return explain(mapped)
}
const fromOf = (mapped: Mapped, field: string) => rows(mapped).find((row) => row.field === field)?.from

const PID = String(mdm.PID)
  .replace('Rowan^Tess^May^^^^L', 'Rowan^^^^^^N~Tully^Tess^^^^^M~Rowan^Tess^May^^^^L')
  .replace('98 Birch', '1 Elm Way^^Duluth^MN^55801^^O~98 Birch')

describe('A request that is explained', () => {
  it('says of every value of a message in HL7 v2 where it comes from', () => {
    const DG1 = 'DG1|1||I50.9^Heart failure^I10'
    const mapped = mapHl7(anOrder({ DG1 }), map)
    expect(rows(mapped).filter(({ from }) => from === '')).to.deep.equal([])
    expect(rows(mapped)).to.deep.include({ field: 'patient.names[0].given[1]', value: 'May', from: 'PID-5(1)' })
    expect(rows(mapped)).to.deep.include({ field: 'document.diagnosisCode', value: 'I50.9', from: 'DG1-3' })
  })

  it('says of every value of a message in FHIR where it comes from', () => {
    const mapped = mapFhir(aBundle(request, document, patient, practitioner, role, condition), map)
    expect(rows(mapped).filter(({ from }) => from === '')).to.deep.equal([])
    expect(fromOf(mapped, 'performers[0].signer.userNPI')).to.equal(
      'ServiceRequest.requester.practitioner.resolve().identifier',
    )
    expect(fromOf(mapped, 'document.diagnosisCode')).to.equal('ServiceRequest.reasonReference[0].resolve().code')
  })

  it('names the repetition that counts, wherever the value ends up', () => {
    const mapped = mapHl7(anOrder({ PID }), map)
    expect(fromOf(mapped, 'patient.names[0].family')).to.equal('PID-5(3)')
    expect(fromOf(mapped, 'patient.names[1].family')).to.equal('PID-5(2)')
    expect(fromOf(mapped, 'patient.addresses[0].postalCode')).to.equal('PID-11(2)')
  })

  it('counts the names of a patient in FHIR that are out of use', () => {
    const given = ['Tess']
    const name = [
      { use: 'old', family: 'Tully', given },
      { use: 'official', family: 'Rowan', given },
    ]
    const mapped = mapFhir(aBundle(document, { ...patient, name }, practitioner), map)
    expect(fromOf(mapped, 'patient.names[0].family')).to.equal('Patient.name[1]')
  })

  it('names the segment of the document, and not its bytes', () => {
    const OBX = ['OBX|1|TX|NOTE||See the plan', String(mdm.OBX)]
    const row = rows(mapHl7(anOrder({ OBX }), map)).find(({ field }) => field === 'document.attachment')
    expect(row).to.deep.equal({ field: 'document.attachment', value: 'PDF, 1 kB', from: 'OBX[2]-5' })
    expect(JSON.stringify(rows(mapHl7(anOrder(), map)))).to.not.contain(PDF)
  })

  it('tells what the map alone says', () => {
    const mapped = mapHl7(anOrder(), map)
    expect(fromOf(mapped, 'document.annotations.type')).to.equal('annotations of the map')
    expect(fromOf(mapped, 'document.annotations.templateId')).to.equal('the table documentTypes')
  })
})
