/** Everything that must never be logged is marked so. */
import { expect } from 'chai'
import { docs } from '../../../lib/contract/docs.ts'
import { allSchemas, bare } from './schemas.ts'

/** Fields that describe a patient or say something a person wrote, and secrets, wherever they stand in the interface. */
const SENSITIVE = [
  /\.patient(\.|$|\[)/,
  /\.(externalId|externalDocId|externalSavedDocumentIds?|diagnosisCode|attachment)$/,
  /\.(value|referenceText|reason|statusReason)$/,
  /\.secret$/,
]
/** Which kind of identifier it is says nothing about a person. */
const HARMLESS = /\.identifiers\[\]\.authority$/

describe('what is never to be logged', () => {
  const fields = allSchemas().filter(({ isField }) => isField)
  const isMarked = ({ schema }: (typeof fields)[number]) =>
    (docs.get(schema) ?? docs.get(bare(schema)))?.sensitive === true

  it('is marked on every field that holds it', () => {
    const wanted = fields.filter(({ at }) => SENSITIVE.some((rule) => rule.test(at)) && !HARMLESS.test(at))
    expect(wanted.length).to.be.greaterThan(40)
    expect(wanted.filter((field) => !isMarked(field)).map(({ at }) => at)).to.deep.equal([])
  })

  it('is found in every part of the interface', () => {
    const places = fields.filter(isMarked).map(({ at }) => at)
    for (const place of [
      'createTask.body.patient',
      'createTask.body.patient.names[].family',
      'createTask.body.patient.identifiers[].value',
      'createTask.body.document.annotations.data[].value',
      'createTask.body.document.annotations.data[].referenceText',
      'readTask.200.output.attachment',
      'readTask.200.output.statusReason',
      'listTasks.query.externalDocId',
      'listTasks.query.externalSavedDocumentIds',
      'updateTask.query.externalSavedDocumentId',
      'retractTask.query.reason',
      'createSubscription.201.secret',
      'event.statusReason',
    ])
      expect(places).to.include(place)
  })
})
