/** spec: Resources › Task: performers. How the signer's organization is chosen shows in the signed document. */
import { expect } from 'chai'
import { accepts, refuses } from '../support/refuses.ts'
import { textOf } from '../support/seen/text-of.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const NPI = 'exactly 10 digits'

describe('Resources › Task: performers', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const signer = { signer: { userNPI: SIGNER.calder } }
  refuses(
    () => service,
    [
      {
        rule: 'performers: required',
        path: 'performers',
        error: 'performers: required; an array of exactly one performer',
      },
      {
        rule: 'performers: array',
        path: 'performers',
        value: signer,
        error: 'performers: an array of exactly one performer',
      },
      {
        rule: 'performers: exactly one, not none',
        path: 'performers',
        value: [],
        error: 'performers: exactly one performer',
      },
      {
        rule: 'performers: exactly one, not two',
        path: 'performers',
        value: [signer, signer],
        error: 'performers: exactly one performer',
      },
      { rule: 'signer: required', path: 'performers[0].signer', error: 'performers[0].signer: required; an object' },
      {
        rule: 'signer.userNPI: required',
        path: 'performers[0].signer.userNPI',
        error: `performers[0].signer.userNPI: required; ${NPI}`,
      },
      ...['999990003', '99999000350', '999990003A', ' 9999900035', 9999900035, null].map((value) => ({
        rule: `signer.userNPI: exactly 10 digits (${value})`,
        path: 'performers[0].signer.userNPI',
        value,
        error: `performers[0].signer.userNPI: ${value === null ? 'required; ' : ''}${NPI}`,
      })),
      {
        rule: 'organization: object',
        path: 'performers[0].organization',
        value: 'Lakeside',
        error: 'performers[0].organization: an object',
      },
      {
        rule: 'organization.orgNPI: string',
        path: 'performers[0].organization',
        value: { orgNPI: 9999901017 },
        error: 'performers[0].organization.orgNPI: text',
      },
      {
        rule: 'organization.name: string',
        path: 'performers[0].organization',
        value: { name: 1 },
        error: 'performers[0].organization.name: text',
      },
      {
        rule: 'organization.addresses: items are objects',
        path: 'performers[0].organization',
        value: { addresses: ['7 Mill Lane'] },
        error: 'performers[0].organization.addresses[0]: an object',
      },
    ],
  )
  accepts(
    () => service,
    [
      { rule: 'organization: not required', path: 'performers[0].organization' },
      { rule: 'organization: empty', path: 'performers[0].organization', value: {} },
      {
        rule: 'the check digit is not enforced (choice: NPI check digit)',
        path: 'performers[0].signer.userNPI',
        value: '1234567890',
      },
    ],
  )

  it('userNPI beside signer is an error that says where it belongs (choice: Unknown body fields)', async () => {
    const body = { ...aCreateBody(), performers: [{ userNPI: SIGNER.calder }] }
    const { errors } = await service.ask('POST', '/api/v1/signature/tasks', { body })
    expect(errors).to.deep.equal(['performers[0].signer: required; an object (userNPI belongs on signer)'])
  })

  // Marsh belongs to Lakeside Family Practice (primary) and Lakeside Wound Clinic.
  const wound = { line: '12 quarry  ROAD', postalCode: '55802-1234' }
  const routes: [rule: string, organization: object | undefined, receives: string][] = [
    ['1. orgNPI matches an active organization', { orgNPI: '9999901025' }, 'Lakeside Wound Clinic'],
    ['1. orgNPI comes before addresses', { orgNPI: '9999901017', addresses: [wound] }, 'Lakeside Family Practice'],
    [
      '2. orgNPI not found: addresses match (choice: Matching an address; case and spacing folded, first five of the postal code)',
      { orgNPI: '9999901033', addresses: [wound] },
      'Lakeside Wound Clinic',
    ],
    ['3. omitted: the primary organization', undefined, 'Lakeside Family Practice'],
    [
      '3. unmatched: the primary organization; a name alone does not route',
      { orgNPI: '9999901033', name: 'Lakeside Wound Clinic', addresses: [{ line: '1 No Way', postalCode: '55802' }] },
      'Lakeside Family Practice',
    ],
    ['3. an orgNPI of nine digits matches nothing', { orgNPI: '999990102' }, 'Lakeside Family Practice'],
    [
      '3. an empty orgNPI and an address without a postal code match nothing',
      { orgNPI: '', addresses: [{ line: '12 Quarry Road', city: 'Duluth', state: 'MN' }] },
      'Lakeside Family Practice',
    ],
    [
      '2. an address without a postal code does not hide the next',
      { addresses: [{ line: '12 Quarry Road' }, wound] },
      'Lakeside Wound Clinic',
    ],
  ]
  for (const [rule, organization, receives] of routes)
    it(`Routing order › ${rule}`, async () => {
      const performer = { signer: { userNPI: SIGNER.marsh }, ...(organization && { organization }) }
      const taskId = await service.create(aCreateBody({ performer }))
      await service.reaches(taskId, 'Pending')
      await service.signs(taskId)
      const { output } = await service.client.readTask({
        params: { id: taskId },
        query: { includeOutputAttachment: true },
      })
      const text = await textOf(output!.attachment!)
      expect(text).to.include(receives)
      for (const other of ['Lakeside Wound Clinic', 'Lakeside Family Practice'].filter((name) => name !== receives))
        expect(text).not.to.include(other)
    })
})
