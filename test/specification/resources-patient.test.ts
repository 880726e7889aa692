/** spec: Resources › Task: patient */
import { expect } from 'chai'
import type { Opened } from '../../server/operations/signer/messages.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { changed } from '../support/changed.ts'
import { eventually } from '../support/eventually.ts'
import { accepts, refuses } from '../support/refuses.ts'
import { aCreateBody, daysFromToday } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const SEX = 'one of Male, Female, Unknown, Ambiguous (the field is sex, not gender)'
const DATE = 'a calendar date, YYYY-MM-DD'
const TEXT = 'text of 1 to 255 characters'

describe('Resources › Task: patient', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const identifier = (authority: string, value: unknown) => [{ authority, value }]

  refuses(
    () => service,
    [
      { rule: 'patient is one of three required objects', path: 'patient', error: 'patient: required; an object' },
      { rule: 'patient is an object', path: 'patient', value: 'Alma', error: 'patient: an object' },
      { rule: 'externalId: required', path: 'patient.externalId', error: `patient.externalId: required; ${TEXT}` },
      { rule: 'externalId: string', path: 'patient.externalId', value: 7, error: `patient.externalId: ${TEXT}` },
      { rule: 'externalId: not blank', path: 'patient.externalId', value: ' ', error: `patient.externalId: ${TEXT}` },
      {
        rule: 'names: required',
        path: 'patient.names',
        error: 'patient.names: required; an array of at least one name',
      },
      { rule: 'names: at least 1', path: 'patient.names', value: [], error: 'patient.names: at least one name' },
      { rule: 'names: array', path: 'patient.names', value: {}, error: 'patient.names: an array of at least one name' },
      {
        rule: 'a name needs family',
        path: 'patient.names[0].family',
        error: `patient.names[0].family: required; ${TEXT}`,
      },
      {
        rule: 'a name needs given',
        path: 'patient.names[0].given',
        error: 'patient.names[0].given: required; an array of at least one given name',
      },
      {
        rule: 'given: at least one',
        path: 'patient.names[0].given',
        value: [],
        error: 'patient.names[0].given: at least one given name',
      },
      {
        rule: 'given: array of strings, not a string',
        path: 'patient.names[0].given',
        value: 'Alma',
        error: 'patient.names[0].given: an array of at least one given name',
      },
      {
        rule: 'given: strings',
        path: 'patient.names[0].given',
        value: [5],
        error: 'patient.names[0].given[0]: text of up to 255 characters',
      },
      ...[[''], [' ', '']].map((value) => ({
        rule: `given: at least one that says something (${JSON.stringify(value)})`,
        path: 'patient.names[0].given',
        value,
        error: 'patient.names[0].given: at least one given name',
      })),
      { rule: 'use: string', path: 'patient.names[0].use', value: 3, error: 'patient.names[0].use: text' },
      { rule: 'sex: required', path: 'patient.sex', error: `patient.sex: required; ${SEX}` },
      { rule: 'sex: enum', path: 'patient.sex', value: 'F', error: `patient.sex: ${SEX}` },
      { rule: 'sex: enum, case as written', path: 'patient.sex', value: 'female', error: `patient.sex: ${SEX}` },
      { rule: 'birthDate: required', path: 'patient.birthDate', error: `patient.birthDate: required; ${DATE}` },
      {
        rule: 'birthDate: YYYY-MM-DD',
        path: 'patient.birthDate',
        value: '03/12/1948',
        error: `patient.birthDate: ${DATE}`,
      },
      {
        rule: 'birthDate: no time',
        path: 'patient.birthDate',
        value: '1948-03-12T00:00:00Z',
        error: `patient.birthDate: ${DATE}`,
      },
      {
        rule: 'a real date (choice: Real dates)',
        path: 'patient.birthDate',
        value: '1947-02-29',
        error: `patient.birthDate: ${DATE}`,
      },
      {
        rule: 'not in the future (choice: Real dates)',
        path: 'patient.birthDate',
        value: daysFromToday(2),
        error: 'patient.birthDate: must not be in the future',
      },
      {
        rule: 'addresses: required',
        path: 'patient.addresses',
        error: 'patient.addresses: required; an array of at least one address',
      },
      {
        rule: 'addresses: at least 1',
        path: 'patient.addresses',
        value: [],
        error: 'patient.addresses: at least one address',
      },
      {
        rule: 'postalCode is required on each address',
        path: 'patient.addresses[1]',
        value: { line: '2 Alder Street' },
        error: 'patient.addresses[1].postalCode: required; text of 1 to 20 characters',
      },
      { rule: 'line: string', path: 'patient.addresses[0].line', value: 1, error: 'patient.addresses[0].line: text' },
      {
        rule: 'identifiers[].authority: enum ssn, ssn4, mrn',
        path: 'patient.identifiers',
        value: identifier('dl', '1234'),
        error: 'patient.identifiers[0].authority: one of ssn, ssn4, mrn',
      },
      {
        rule: 'identifiers: items are objects',
        path: 'patient.identifiers',
        value: ['WC100001'],
        error: 'patient.identifiers[0]: an object',
      },
      ...['98765432', '9876543210', '987-65-432', '-987654320', '987654320-', '987--65-4320', '98765432a'].map(
        (value) => ({
          rule: `ssn: 9 digits (${value})`,
          path: 'patient.identifiers',
          value: identifier('ssn', value),
          error: 'patient.identifiers[0].value: 9 digits, hyphens optional',
        }),
      ),
      ...['432', '43201', '432O', 4320].map((value) => ({
        rule: `ssn4: last 4 digits (${value})`,
        path: 'patient.identifiers',
        value: identifier('ssn4', value),
        error: 'patient.identifiers[0].value: the last 4 digits of the SSN',
      })),
      ...['WC123', 'WC123456789', 'WC-12345', ''].map((value) => ({
        rule: `mrn: 6 to 10 alphanumeric characters (${value})`,
        path: 'patient.identifiers',
        value: identifier('mrn', value),
        error: 'patient.identifiers[0].value: 6 to 10 letters and digits',
      })),
      { rule: 'telecoms: array', path: 'patient.telecoms', value: {}, error: 'patient.telecoms: an array' },
      {
        rule: 'telecoms[].value: string',
        path: 'patient.telecoms[0].value',
        value: 218,
        error: 'patient.telecoms[0].value: text',
      },
    ],
  )

  accepts(
    () => service,
    [
      ...['Male', 'Female', 'Unknown', 'Ambiguous'].map((sex) => ({
        rule: `sex: ${sex}`,
        path: 'patient.sex',
        value: sex,
      })),
      ...['987-65-4320', '987654320', '98-765-4320', '987-654320'].map((value) => ({
        rule: `ssn: ${value}`,
        path: 'patient.identifiers',
        value: identifier('ssn', value),
      })),
      { rule: 'ssn4: 4 digits', path: 'patient.identifiers', value: identifier('ssn4', '0020') },
      { rule: 'mrn of 6', path: 'patient.identifiers', value: identifier('mrn', 'abc123') },
      { rule: 'mrn of 10', path: 'patient.identifiers', value: identifier('mrn', 'ABCDE12345') },
      { rule: 'identifiers: not required', path: 'patient.identifiers' },
      { rule: 'telecoms: not required', path: 'patient.telecoms' },
      { rule: 'telecoms: null stands for absent', path: 'patient.telecoms', value: null },
      { rule: 'names[].use: any string (choice: Free words)', path: 'patient.names[0].use', value: 'as on the card' },
      { rule: 'birthDate: today', path: 'patient.birthDate', value: daysFromToday(0) },
      { rule: 'birthDate: a leap day', path: 'patient.birthDate', value: '1948-02-29' },
      { rule: 'given: several', path: 'patient.names[0].given', value: ['José', 'María'] },
      { rule: 'given: an empty second one', path: 'patient.names[0].given', value: ['Alma', ''] },
      {
        rule: 'a field that is not named is ignored (choice: Unknown body fields)',
        path: 'patient.nickname',
        value: 'Al',
      },
    ],
  )

  it('The field is sex, not gender: gender in its place is an error that says so', async () => {
    const body = changed(changed(aCreateBody(), 'patient.sex', undefined), 'patient.gender', 'female')
    const { status, errors } = await service.ask('POST', '/api/v1/signature/tasks', { body })
    expect({ status, errors }).to.deep.equal({ status: 400, errors: [`patient.sex: required; ${SEX}`] })
  })

  it('externalId: reusing a known value matches the same patient, whose new demographics are kept', async () => {
    const first = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|7' } }))
    await service.reaches(first, 'Pending')
    const moved = [{ line: '9 Birch Street', city: 'Duluth', state: 'MN', postalCode: '55803' }]
    const again = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|7', addresses: moved } }))
    await service.reaches(again, 'Pending')
  })

  it('given: an empty name is no name, so the patient is the same with and without it', async () => {
    const inbox = aVisit(service.baseUrl)
    await inbox.signInAs('Ruth Calder DO')
    const names = [{ family: 'Whitfield', given: ['', 'Alma', ' '] }]
    const taskId = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|8', names } }))
    await service.reaches(taskId, 'Pending')
    const { body } = await inbox.ask<Opened>('GET', `/inbox/api/documents/${taskId}`)
    expect(body.patient.name).to.equal('Alma Whitfield')
  })

  it('Sparse or colliding demographics can send the task to manual review: the status stays at Processing', async () => {
    // What was accepted before may still be on its way, and with it other demographics of Alma.
    for (const status of ['Received', 'Processing']) {
      const listed = () => service.ask<unknown[]>('GET', `/api/v1/signature/tasks?status=${status}`)
      await eventually(async () => expect((await listed()).body).to.deep.equal([]))
    }
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const known = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|20', identifiers: [] } }))
    // The same person by name, birth date and sex as Alma, under another id and without an identifier that agrees.
    const twin = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|21', identifiers: [] } }))
    const other = { family: 'Stone', given: ['Ann'] }
    const sparse = await service.create(
      aCreateBody({ patient: { externalId: 'WILLOW|22', sex: 'Unknown', identifiers: [], names: [other] } }),
    )
    const after = await service.create(aCreateBody())
    await service.reaches(after, 'Pending')
    for (const taskId of [known, twin, sparse]) {
      const task = await service.reaches(taskId, 'Processing')
      expect(task).to.include({ documentId: null, statusReason: null })
    }
  })
})
