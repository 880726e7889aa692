/** Flows of earlier versions: what the editor stored then is read as it was meant, and runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { currentVersion, migrated } from '../../nodes/shared/form/migration.ts'
import { root } from '../support/built.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, probe } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const TYPES = Object.keys(JSON.parse(read('package.json'))['node-red'].nodes)

/** The defaults of a form, as the editor learns them from the html. */
function defaultsOf(set: string): Record<string, unknown> {
  let defaults: Record<string, { value?: unknown }> = {}
  const registerType = (_: string, definition: { defaults: typeof defaults }) => {
    defaults = definition.defaults
  }
  const [, script] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(read(`nodes/${set}.html`))!
  runInNewContext(script!, { RED: { nodes: { registerType }, validators: { typedInput: () => () => true } } })
  return Object.fromEntries(Object.entries(defaults).map(([name, { value }]) => [name, value]))
}

describe('a stored node', () => {
  for (const set of TYPES) {
    const type = `countersign-${set}`

    it(`of ${set} without a version gets the defaults of its form`, () => {
      const { version, ...defaults } = defaultsOf(set)
      expect(currentVersion(type)).to.equal(version)
      const { id, ...config } = migrated({ id: 'early', type })
      expect(config).to.deep.include({ type, version })
      for (const [name, value] of Object.entries(config))
        if (name in defaults && name !== 'annotationSource') expect(value, name).to.deep.equal(defaults[name])
        else expect(name).to.be.oneOf(['type', 'version', 'annotationSource'])
    })

    it(`of ${set} keeps what it stores, and is left alone when it is current or of a later version`, () => {
      const stored = { id: 'early', type, placement: 'Json', deliver: 'file', timeout: '', name: 'mine' }
      const before = structuredClone(stored)
      expect(migrated(stored)).to.include(stored)
      expect(stored).to.deep.equal(before)
      for (const version of [currentVersion(type), currentVersion(type) + 1]) {
        const config = { id: 'late', type, version }
        expect(migrated(config)).to.equal(config)
      }
    })
  }
})

describe('a flow without versions', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  const msg = (value: string) => ({ type: 'msg', value })
  /** Nothing but what each node cannot guess. */
  const early = (): FlowNode[] => {
    const { id, type, baseUrl, credentials } = service.node()
    const node = (name: string, set: string, inputs: object, outputs: string[]) => [
      { id: name, type: `countersign-${set}`, service: 'service', ...inputs, wires: outputs.map((output) => [output]) },
      ...outputs.map(probe),
    ]
    return flow(
      { id, type, baseUrl, credentials } as FlowNode,
      ...node(
        'create',
        'create-task',
        {
          externalId: 'patient.externalId',
          sex: 'patient.sex',
          birthDate: 'patient.birthDate',
          userNPI: 'userNPI',
          attachment: 'payload',
          externalDocId: 'externalDocId',
          effectiveDate: 'effectiveDate',
          documentTypeId: '104',
          names: [{ family: msg('patient.names[0].family'), given: msg('patient.names[0].given') }],
          addresses: [{ postalCode: msg('patient.addresses[0].postalCode') }],
        },
        ['create.0'],
      ),
      ...node('wait', 'wait', { taskId: 'taskId' }, ['wait.0']),
      ...node('download', 'download', { taskId: 'taskId' }, ['download.0']),
      ...node('list', 'list', { taskStatus: 'Completed' }, ['list.0']),
      ...node('webhook', 'webhook-in', { publicUrl: red.nodeUrl('countersign/events') }, ['webhook.0']),
    )
  }

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(early())
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  it('loads and runs', async () => {
    await red.statusOf('webhook', 'listening')
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    red.inject('wait', { taskId })
    await red.next('webhook.0', ({ status }) => status === 'Pending')
    await service.signs(taskId)
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
    red.inject('download', { taskId })
    expect(await red.next('download.0')).to.include({ filename: `${taskId}.pdf` })
    red.inject('list', {})
    expect((await red.next('list.0')).payload).to.have.length(1)
    expect(red.waiting('caught')).to.deep.equal([])
  })
})
