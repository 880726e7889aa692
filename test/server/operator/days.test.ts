/** What today is for a create: the day where the organization is, on both sides of its midnight. */
import { expect } from 'chai'
import { dateIn } from '../../../lib/time-zone.ts'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aCreateBody, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const HALF_HOUR_S = 1800
const DAY_MS = 86_400_000
const shifted = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

describe('today, for the date of birth and the certification window', function () {
  this.timeout(60_000)
  let service: TestService
  let administrator: Visit
  let organization: string
  before(async () => {
    service = await aService()
    administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const [own] = (await administrator.ask<Organization[]>('GET', '/admin/v1/organizations')).body
    expect(own!.timeZone).to.equal(null)
    organization = `/admin/v1/organizations/${own!.id}`
    const template = `/admin/v1/templates/${TEMPLATE.certification}`
    const { errors } = await administrator.ask('PATCH', template, { daysBefore: 0, daysAfter: 0 })
    expect(errors).to.deep.equal([])
  })
  after(() => service.stop())

  /** With a session of its own, as the clock moves beyond the end of the last one. */
  async function change(timeZone: unknown) {
    await administrator.signInAs('Willow Creek administrator')
    return administrator.ask('PATCH', organization, { timeZone })
  }
  const now = async () => (await service.ask<{ now: string }>('GET', '/sandbox/v1/clock')).body.now
  async function advance(advanceSeconds: number) {
    const { errors } = await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds } })
    expect(errors).to.deep.equal([])
  }
  /** Puts the clock forward to half an hour before the next midnight there. */
  async function toEveningIn(timeZone: string) {
    const from = new Date(await now())
    const shown = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' })
    const [hour = 0, minute = 0] = shown.format(from).split(':').map(Number)
    const minutes = (23 * 60 + 30 - (hour * 60 + minute) + 24 * 60) % (24 * 60)
    await advance(minutes * 60 + 1)
  }
  const accepts = async (day: string) => {
    const { patient } = aCreateBody()
    const body = aCreateBody({
      patient: { ...patient, birthDate: day },
      document: {
        effectiveDate: day,
        annotations: { type: 'SmartAnnotations', templateId: TEMPLATE.certification },
      },
    })
    const { errors } = await service.ask('POST', '/api/v1/signature/tasks', { body })
    return {
      birth: !errors.some((error) => error.startsWith('patient.birthDate: must not be in the future')),
      window: !errors.some((error) => error.includes('outside the certification window')),
    }
  }

  for (const zone of ['America/Los_Angeles', 'Pacific/Auckland', 'Asia/Kolkata'])
    it(`is the day in ${zone}, and becomes the next one at midnight there`, async () => {
      expect((await change(zone)).errors).to.deep.equal([])
      await toEveningIn(zone)
      const today = dateIn(zone, await now())
      expect(await accepts(today)).to.deep.equal({ birth: true, window: true })
      expect(await accepts(shifted(today, 1))).to.deep.equal({ birth: false, window: false })
      expect(await accepts(shifted(today, -1))).to.deep.equal({ birth: true, window: false })
      await advance(HALF_HOUR_S)
      expect(await accepts(shifted(today, 1))).to.deep.equal({ birth: true, window: true })
      expect(await accepts(today)).to.deep.equal({ birth: true, window: false })
    })

  it('is the day of the service where no time zone was set', async () => {
    expect((await change(null)).errors).to.deep.equal([])
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    await toEveningIn(zone)
    const today = dateIn(zone, await now())
    expect(await accepts(today)).to.deep.equal({ birth: true, window: true })
    expect(await accepts(shifted(today, 1))).to.deep.equal({ birth: false, window: false })
  })

  it('is set to a zone that exists, and to nothing else', async () => {
    for (const wrong of ['Chicago', '', 'America/Chicago\n', 5, 'x'.repeat(100)]) {
      const { status, errors } = await change(wrong)
      expect([status, errors]).to.deep.equal([400, ['timeZone: the name of a time zone, such as America/Chicago']])
    }
  })
})
