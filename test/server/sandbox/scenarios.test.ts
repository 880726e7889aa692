/** Scenarios by HTTP: a step at a time, to the end, of one's own, and with `serve --scenario`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtIn } from '../../../server/operations/sandbox/scenarios/built-in.ts'
import {
  type Action,
  Scenario,
  type ScenarioInput,
  type ScenarioState,
  sentenceOf,
} from '../../../server/operations/sandbox/scenarios/scenario.ts'
import { aFolder } from '../../support/a-folder.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign, serve } from '../../support/service/served.ts'

const anOrder = {
  do: 'send',
  patient: 'usual',
  document: 'order',
  placement: 'coordinates',
  signer: SIGNER.calder,
} as const
const aScenario = (change: object = {}) =>
  ({
    name: 'mine',
    title: 'Mine',
    about: 'An order is signed.',
    steps: [
      { say: 'An order arrives.', do: [anOrder] },
      { say: 'It is signed.', do: [{ do: 'sign' }] },
    ],
    ...change,
  }) as ScenarioInput

describe('the scenarios of a sandbox', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())
  beforeEach(() => service.ask('POST', '/sandbox/v1/reset'))

  const post = <T = ScenarioState>(path: string, body?: object, key = service.key) =>
    service.ask<T>('POST', `/sandbox/v1/scenarios${path}`, { ...(body && { body }), key })
  const list = async (key = service.key) =>
    (await service.ask<ScenarioState[]>('GET', '/sandbox/v1/scenarios', { key })).body

  for (const { name } of builtIn)
    it(`has ${name}, which is played to its end, twice in a row`, async () => {
      for (let round = 0; round < 2; round++) {
        const { status, body } = await post(`/${name}/play`, { fromStart: true })
        expect(status, JSON.stringify(body)).to.equal(200)
        expect(body.done).to.equal(body.steps.length)
      }
    })

  it('are done a step at a time, with what came of each action, and then are at their end', async () => {
    expect((await post('', aScenario())).status).to.equal(201)
    const { body: first } = await post('/mine/next')
    expect(first).to.include({ done: 1, isRunning: false })
    const taskId = Number(/^201: task (\d+)\.$/.exec(first.outcome[0]!)![1])
    expect((await post('/mine/next')).body.outcome).to.deep.equal([`Task ${taskId} is signed.`])
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Completed')
    expect((await post('/mine/next')).status).to.equal(409)
    expect((await post('/mine/begin')).body.done).to.equal(0)
    expect((await post('/mine/play', { fromStart: false })).body.done).to.equal(2)
  })

  it('do everything that an action can say', async () => {
    const actions: Action[] = [
      { do: 'reset' },
      { do: 'review', patients: 'none' },
      { do: 'fault', fault: { on: 'request', operation: 'createTask', fault: 'refuse', status: 503, times: 1 } },
      { ...anOrder, times: 1 },
      { do: 'clearFaults' },
      { do: 'lesson', name: 'host-down', isOn: true },
      { do: 'lesson', name: 'host-down', isOn: false },
      { do: 'signer', npi: SIGNER.calder, script: { act: 'wait' } },
      { ...anOrder, times: 2 },
      { do: 'advance', seconds: 3600 },
    ]
    await post(
      '',
      aScenario({
        steps: [
          { say: 'All.', do: actions },
          { say: 'No.', do: [{ do: 'reject', reason: 'Wrong' }] },
        ],
      }),
    )
    const { body } = await post('/mine/play', { fromStart: true })
    expect(body.done).to.equal(2)
    const tasks = await service.client.listTasks()
    expect(tasks.map(({ status }) => status)).to.have.members(['Pending', 'Rejected'])
    for (const action of actions) expect(sentenceOf(action)).to.match(/^[A-Z].*\.$/)
  })

  it('stop at a step that is refused, and say why', async () => {
    await post('', aScenario({ steps: [{ say: 'Begin.' }, { say: 'Sign.', do: [{ do: 'sign' }] }] }))
    const refused = await post<{ errors: string[] }>('/mine/play', { fromStart: true })
    expect(refused.status).to.equal(409)
    expect(refused.body.errors.join()).to.include('has made no task')
    expect((await list()).find(({ name }) => name === 'mine')).to.include({ done: 1, isRunning: false })
  })

  it('run one step at a time', async () => {
    await post(
      '',
      aScenario({ steps: Array.from({ length: 3 }, () => ({ say: 'Orders.', do: [{ ...anOrder, times: 3 }] })) }),
    )
    const answers = await Promise.all([post('/mine/next'), post('/mine/next'), post('/mine/next')])
    const statuses = answers.map(({ status }) => status)
    const done = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status === 409)).to.have.length(3 - done)
    expect(await service.client.listTasks()).to.have.length(3 * done)
  })

  it('concern one organization alone', async () => {
    await post('', aScenario())
    expect((await list(service.otherKey)).map(({ name }) => name)).not.to.include('mine')
    expect((await post('/mine/next', undefined, service.otherKey)).status).to.equal(404)
    await post('/mine/next')
    expect(await service.other.listTasks()).to.deep.equal([])
  })

  it('return to their beginning with a reset', async () => {
    await post('', aScenario())
    await post('/mine/next')
    await service.ask('POST', '/sandbox/v1/reset')
    expect((await list()).find(({ name }) => name === 'mine')).to.include({ done: 0 })
  })

  it('are refused with everything that is wrong, and a JSON Schema says what is right', async () => {
    const wrong = aScenario({ name: 'Not a name', steps: [{ say: '', do: [{ do: 'dance' }] }] })
    const { status, body } = await post<{ errors: string[] }>('', wrong)
    expect(status).to.equal(400)
    expect(body.errors.join('\n')).to.match(/name: .*\n.*steps\[0\]\.say: /s)
    expect(body.errors.join('\n')).to.match(/steps\[0\]\.do\[0\]/)
    const schema = await service.ask<{ required: string[] }>('GET', '/sandbox/v1/scenarios/schema')
    expect(schema.body.required).to.deep.equal(['name', 'title', 'about', 'steps'])
    for (const scenario of builtIn) expect(Scenario.parse(scenario)).to.be.an('object')
  })

  describe('in a file', () => {
    const aFile = (content: unknown): string => {
      const path = join(aFolder(), 'scenario.json')
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    }
    const sandbox = ['--sandbox', '--seed', 'demo', '--data', ':memory:']

    it('are played for their sender when the service has started', async () => {
      const path = aFile(aScenario({ sender: 'Northfield Hospice' }))
      const served = await serve([...sandbox, '--scenario', path])
      const { key } = served.apiKeys.find(({ organization }) => organization === 'Northfield Hospice')!
      const tasks = await fetch(`${served.baseUrl}/api/v1/signature/tasks`, { headers: { 'x-api-key': key } })
      expect(((await tasks.json()) as { status: string }[]).map(({ status }) => status)).to.deep.equal(['Completed'])
      await served.stop()
    })

    for (const [what, content, says] of [
      ['is no JSON', '{', 'cannot be read as JSON'],
      ['names no sender', aScenario(), 'sender: name the organization'],
      [
        'has an unknown action',
        aScenario({ sender: 'A', steps: [{ say: 'A', do: [{ do: 'dance' }] }] }),
        'steps[0].do[0]',
      ],
      [
        'signs before it sends',
        aScenario({ sender: 'A', steps: [{ say: 'A', do: [{ do: 'sign' }] }] }),
        'step 1 was refused',
      ],
    ] as const)
      it(`are refused where the file ${what}`, async () => {
        const { code, stderr } = await countersign(['serve', '--port', '0', ...sandbox, '--scenario', aFile(content)])
        expect(code).not.to.equal(0)
        expect(stderr).to.include('--scenario: ').and.to.include(says)
      })

    it('are for sandboxes alone', async () => {
      const { code, stderr } = await countersign(
        ['serve', '--port', '0', '--data', ':memory:', '--scenario', aFile('{}')],
        {
          COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        },
      )
      expect(code).not.to.equal(0)
      expect(stderr).to.include('--scenario: only together with --sandbox')
    })
  })
})
