/** One place for every rule: the command line refuses what the console refuses, in the same words. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { called } from '../../support/commands/called.ts'
import { SIGNER, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const LAKESIDE = '9999901017'
const PASSWORD = 'correct horse battery staple'

interface Case {
  what: string
  /** Method, path below /admin/v1, body. */
  asked: [method: string, path: string, body: unknown]
  command: string[]
  input?: string
  errors: string[]
}

describe('What is refused at the console and on the command line', function () {
  this.timeout(90_000)
  const data = aFolder()
  const fields = join(data, 'fields.json')
  let service: TestService
  let operator: Visit
  before(async () => {
    service = await aService({ data })
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const field = { type: 'VisibleSignature', pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }
    writeFileSync(fields, JSON.stringify([field]))
  })
  after(() => service.stop())

  const organization = { name: 'Elm', addresses: [], ingestionEnabled: false }
  const provider = { npi: SIGNER.marsh, firstName: 'A', lastName: 'B', signingName: 'A B', organizationIds: [1] }
  const names = ['--first-name', 'A', '--last-name', 'B', '--organization', '1']
  const account = { email: 'x@clinic.example', name: 'X', role: 'signer', npi: SIGNER.unknown, password: PASSWORD }
  const whose = ['--organization', 'Willow Creek Home Health']

  const cases: Case[] = [
    {
      what: 'the name of an organization, twice',
      asked: ['POST', '/organizations', { ...organization, name: 'Northfield Hospice' }],
      command: ['organizations', 'create', '--name', 'Northfield Hospice'],
      errors: ['name: an organization has this name already'],
    },
    {
      what: 'the NPI of an organization, twice',
      asked: ['POST', '/organizations', { ...organization, npi: LAKESIDE }],
      command: ['organizations', 'create', '--name', 'Elm', '--npi', LAKESIDE],
      errors: ['npi: organization 1 has this NPI; no two have the same'],
    },
    {
      what: 'an NPI that is none, and an address without its code',
      asked: ['POST', '/organizations', { ...organization, npi: '12', addresses: [{ city: 'Duluth' }] }],
      command: ['organizations', 'create', '--name', 'Elm', '--npi', '12', '--city', 'Duluth'],
      errors: ['npi: exactly 10 digits', 'addresses[0].postalCode: required; text of 1 to 20 characters'],
    },
    {
      what: 'a provider, twice',
      asked: ['POST', '/providers', provider],
      command: ['providers', 'create', '--npi', SIGNER.marsh, ...names],
      errors: ['npi: a provider has this NPI already'],
    },
    {
      what: 'a provider whom nobody knows',
      asked: ['PATCH', `/providers/${SIGNER.unknown}`, { isActive: false }],
      command: ['providers', 'deactivate', SIGNER.unknown],
      errors: ['npi: no provider of this service'],
    },
    {
      what: 'a key that has ended before it began',
      asked: ['POST', '/organizations/1/keys', { personName: 'Ann Vale', expiresAt: '2001-01-01' }],
      command: ['keys', 'create', '--organization', '1', '--person', 'Ann Vale', '--expires', '2001-01-01'],
      errors: ['expiresAt: a time to come, such as 2027-01-01'],
    },
    {
      what: 'a key with an end that is no time',
      asked: ['POST', '/organizations/1/keys', { personName: ' ', expiresAt: 'soon' }],
      command: ['keys', 'create', '--organization', '1', '--person', 'x'.repeat(101), '--expires', 'soon'],
      errors: ['personName: text of 1 to 100 characters', 'expiresAt: a time to come, such as 2027-01-01'],
    },
    {
      what: 'an account for a signer whom nobody knows, with a password that is easy to guess',
      asked: ['POST', '/accounts', { ...account, password: 'passwordpassword' }],
      command: ['people', 'create', '--email', account.email, '--name', 'X', '--role', 'signer', '--npi', account.npi],
      input: 'passwordpassword\n',
      errors: [
        'npi: the NPI of a provider of this service',
        'password: easy to guess, because it repeats itself; choose four words that are unrelated',
      ],
    },
    {
      what: 'an account with everything wrong',
      asked: ['POST', '/accounts', { email: 'x', role: 'signer', password: 'short' }],
      command: ['people', 'create', '--email', 'x', '--role', 'signer'],
      input: 'short\n',
      errors: [
        'name: required; text of 1 to 200 characters',
        'email: an e-mail address in ASCII letters, digits, and signs',
        'npi: the NPI of a provider of this service',
        'password: at least 12 characters',
      ],
    },
    {
      what: 'an administrator of an organization that nobody knows',
      asked: ['POST', '/accounts', { ...account, role: 'administrator', npi: undefined, organizationId: 99999 }],
      command: [
        ...['people', 'create', '--email', account.email, '--name', 'X'],
        ...['--role', 'administrator', '--organization', '99999'],
      ],
      input: `${PASSWORD}\n`,
      errors: ['organizationId: the id of an organization of this service'],
    },
    {
      what: 'a signer with an organization',
      asked: ['POST', '/accounts', { ...account, npi: SIGNER.marsh, organizationId: 1 }],
      command: [
        ...['people', 'create', '--email', account.email, '--name', 'X'],
        ...['--role', 'signer', '--npi', SIGNER.marsh, '--organization', '1'],
      ],
      input: `${PASSWORD}\n`,
      errors: ['organizationId: only an administrator has one'],
    },
    {
      what: 'rules of a template that nobody can keep',
      asked: ['PATCH', `/templates/${TEMPLATE.verbalOrder}`, { daysBefore: 9999, diagnosisCode: 'maybe' }],
      command: [
        'templates',
        'update',
        String(TEMPLATE.verbalOrder),
        ...whose,
        '--days-before',
        '9999',
        '--diagnosis-code',
        'maybe',
      ],
      errors: ['diagnosisCode: one of none, allowed, required', 'daysBefore: up to 3660'],
    },
    {
      what: 'a template that is not there',
      asked: ['POST', '/templates/99999/retire', undefined],
      command: ['templates', 'retire', '99999', ...whose],
      errors: ['There is no template 99999, or it is retired.'],
    },
    {
      what: 'sending again, without saying what',
      asked: ['POST', '/deliveries/redeliver', {}],
      command: ['deliveries', 'redeliver'],
      errors: ['body: say which deliveries, for example by eventId or since'],
    },
    {
      what: 'deliveries in a state that there is not',
      asked: ['GET', '/deliveries?state=lost&taskId=x', undefined],
      command: ['deliveries', 'list', '--state', 'lost', '--task', 'x'],
      errors: [
        'state[0]: some of waiting, delivered, failed, cancelled',
        'taskId: a whole number from 1 to 2147483647',
      ],
    },
  ]

  for (const {
    what,
    asked: [method, path, body],
    command,
    input = '',
    errors,
  } of cases)
    it(what, async () => {
      const answer = await operator.ask(method, `/admin/v1${path}`, body)
      expect(answer.errors).to.deep.equal(errors)
      const ended = await called([...command, '--data', data], {}, input)
      expect(ended).to.deep.equal({ code: 2, stdout: '', stderr: `countersign: ${errors.join('; ')}\n` })
    })
})
