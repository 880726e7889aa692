/** What people get wrong about the create node, in its form, its service and its messages: each is told apart and explained. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('the create node', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  it('names an input of the form that is neither a path nor an expression', async () => {
    const wrong = { externalId: 'patient.names[0', sex: '$uppercase(', sexType: 'jsonata' }
    await red.deploy(flow(service.node(), ...createTask(wrong)))
    red.inject('create', anOrder())
    expect((await red.next('caught')).errors).to.include.members([
      'patient.externalId: its msg expression cannot be evaluated (Patient ID)',
      'patient.sex: its jsonata expression cannot be evaluated (Sex)',
    ])
  })

  const withKey = (apiKey: string) => host(service.baseUrl, { credentials: { apiKey } })

  it('is red without a service, without a key, and with a URL that would show the key', async () => {
    const wrong = [
      [flow(...createTask({ service: '' })), 'no service', 'NO_SERVICE', /No service is chosen/],
      [flow(...createTask({ service: 'deleted' })), 'no service', 'NO_SERVICE', /disabled or was deleted/],
      [
        flow(host(service.baseUrl, { credentials: {} }), ...createTask()),
        'no API key',
        'NO_KEY',
        /API key \(apiKey\): empty/,
      ],
      [flow(withKey('$' + '{NOT_SET}'), ...createTask()), 'no API key', 'NO_KEY', /variable that is not set/],
      [flow(host('http://signature.example.org'), ...createTask()), 'invalid base URL', 'BAD_URL', /https/],
      [flow(service.node({ tls: 'deleted' }), ...createTask()), 'no TLS settings', 'NO_TLS', /TLS .* was deleted/],
      [
        flow(service.node({ proxy: 'deleted' }), ...createTask()),
        'no proxy settings',
        'NO_PROXY',
        /proxy .* was deleted/,
      ],
      [flow(service.node({ d: true }), ...createTask()), 'no service', 'NO_SERVICE', /disabled or was deleted/],
    ] as const
    for (const [nodes, text, code, words] of wrong) {
      await red.deploy(nodes)
      await red.statusOf('create', text)
      red.inject('create', anOrder())
      const { error } = await red.next('caught')
      expect(error).to.include({ code })
      expect(error?.message).to.match(words)
    }
  })

  it('says what is wrong with anything that a message holds, sends nothing, and goes on', async () => {
    await red.deploy(flow(service.node(), ...createTask()))
    const before = (await service.client.listTasks()).length
    const attachment = 'document.attachment'
    const wrong = [
      [{}, `${attachment}: required; a PDF as Buffer or Base64 text`],
      [{ ...anOrder(), payload: 42 }, `${attachment}: required; a PDF as Buffer or Base64 text`],
      [{ ...anOrder(), payload: { name: 'Whitfield' } }, `${attachment}: required; a PDF as Buffer or Base64 text`],
      [{ ...anOrder(), payload: ['Whitfield'] }, `${attachment}: required; a PDF as Buffer or Base64 text`],
      [{ ...anOrder(), payload: 'Dear Ms. Whitfield,' }, `${attachment}: the text is not Base64`],
      [
        { ...anOrder(), payload: Buffer.from('Dear Ms. Whitfield,') },
        `${attachment}: the value is not a PDF; it must begin with %PDF-`,
      ],
      [{ ...anOrder(), patient: 'Whitfield' }, 'patient.externalId: required; text of 1 to 255 characters'],
      [{ ...anOrder(), patient: null }, 'patient.externalId: required; text of 1 to 255 characters'],
      [{ ...anOrder(), userNPI: ['9999900019'] }, 'performers[0].signer.userNPI: exactly 10 digits'],
      [{ ...anOrder(), effectiveDate: '03/12/1948' }, 'document.effectiveDate: '],
    ] as const
    for (const [message, sentence] of wrong) {
      red.inject('create', message)
      const { error, errors } = await red.next('caught')
      expect(error).to.include({ code: 'INVALID_INPUT' })
      expect(
        (errors as string[]).some((one) => one.startsWith(sentence)),
        `${sentence} in ${errors}`,
      ).to.equal(true)
      expect(JSON.stringify([error, errors])).to.not.match(/Whitfield|1948|expression/)
      await red.statusOf('create', 'invalid input')
    }
    expect(await service.client.listTasks()).to.have.length(before)
    red.inject('create', anOrder())
    await red.next('create.0')
  })
})
