/** The sample messages of the package, sent through the examples that tell their stories. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { eventually } from '../support/eventually.ts'
import { mappedTo, type Sample, sample, samples } from '../support/hl7/samples.ts'
import { exampleFlow, idIn } from '../support/node-red/examples/examples.ts'
import { read } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const HL7 = 'Send an order from HL7'
const FHIR = 'FHIR round trip'
const FILES = 'Orders from a folder'
const REPLACED = 'Replace an order that was sent'

/** Messages about one document, which follow each other. */
const OF_ONE_DOCUMENT = ['plan-of-care', 'correction', 'replacement', 'withdrawal']
/** Ruth Calder never acts, so that what she has can be taken back. */
const CALDER = '9999900035'

/** The examples on one service, with a probe behind each node that creates tasks, and for each debug node. */
function flows(): FlowNode[] {
  const nodes = [HL7, FHIR, FILES, REPLACED].flatMap(exampleFlow)
  const service = { ...nodes.find(({ type }) => type === 'countersign-service')!, port: '0' }
  const others = nodes.filter(({ type }) => type !== 'countersign-service')
  const probed = others.map((node) => ({
    ...node,
    ...(node.service !== undefined && { service: service.id }),
    ...(node.type === 'countersign-create-task' && { wires: [[...(node.wires as string[][])[0]!, `${node.z}.sent`]] }),
    type: node.type === 'debug' ? 'probe' : node.type,
  }))
  const tabs = others.filter(({ type }) => type === 'tab')
  const sent = tabs.map(({ id }) => ({ id: `${id}.sent`, type: 'probe', z: id, wires: [] }))
  return [service, ...probed, ...sent, ...read().map((node) => ({ ...node, service: service.id, z: tabs[0]!.id }))]
}

describe('the samples in the examples', function () {
  this.timeout(60_000)
  let red: NodeRed
  const work = aFolder()

  before(async () => {
    red = await startNodeRed({ cwd: work })
    await red.deploy(flows())
  })
  after(() => red?.stop())

  const sent = (example: string) => red.next(`${idIn(example, 'tab')}.sent`, () => true, 30_000)
  const held = (example: string) => red.next(idIn(example, 'held'), () => true, 30_000)
  const idsOf = (these: readonly Sample[]) =>
    these
      .map(mappedTo)
      .flatMap((each) => (each.ok && each.action !== 'retract' ? each.body.document.externalDocId : []))
  const reasonsOf = (these: readonly Sample[]) => these.map(mappedTo).flatMap((each) => (each.ok ? [] : each.held))

  /** Each of these is sent or held, as samples/mapped says. */
  async function become(example: string, these: readonly Sample[]) {
    const ids: unknown[] = []
    for (const _ of idsOf(these)) ids.push((await sent(example)).externalDocId)
    expect(ids).to.have.members(idsOf(these))
    const reasons: unknown[] = []
    for (const _ of reasonsOf(these)) reasons.push(...((await held(example)).held as string[]))
    expect(reasons).to.have.members(reasonsOf(these))
  }

  it(HL7, async () => {
    const these = samples.filter(({ kind, name }) => kind === 'hl7' && !OF_ONE_DOCUMENT.includes(name))
    for (const { name } of these) red.inject(idIn(HL7, 'countersign-order-from-hl7'), { payload: sample('hl7', name) })
    await become(HL7, these)
  })

  it(FHIR, async () => {
    const these = samples.filter(({ kind }) => kind === 'fhir')
    for (const { name } of these)
      red.inject(idIn(FHIR, 'countersign-order-from-fhir'), { payload: JSON.parse(String(sample('fhir', name))) })
    await become(FHIR, these)
  })

  it(FILES, async () => {
    const orders = join(work, 'countersign-demo/orders')
    mkdirSync(orders, { recursive: true })
    const these = samples.filter(({ kind }) => kind === 'files')
    for (const { name } of these)
      for (const end of ['.pdf', '.json', '.csv']) {
        const file = join(root, 'samples/files', name + end)
        if (existsSync(file)) cpSync(file, join(orders, name + end))
      }
    await become(FILES, these)
    await eventually(() => {
      expect(existsSync(join(orders, 'done/three-pages.csv'))).to.equal(true)
      expect(existsSync(join(orders, 'error/not-a-pdf.reason.json'))).to.equal(true)
    })
  })

  it(REPLACED, async () => {
    const inject = (name: string) =>
      red.inject(idIn(REPLACED, 'countersign-order-from-hl7'), {
        payload: Buffer.from(sample('hl7', name).toString().replace('9999900019', CALDER)),
      })
    inject('plan-of-care')
    const { taskId } = await sent(REPLACED)
    await eventually(async () => {
      red.inject('read', { taskId })
      expect(await red.next('read.0')).to.include({ status: 'Pending' })
    })
    inject('replacement')
    const second = await sent(REPLACED)
    expect(second).to.deep.include({ replaced: [{ externalDocId: 'EPIC|HL7-1', status: 'Retracted' }] })
    inject('correction')
    const takenBack = () => red.next(idIn(REPLACED, 'taken back'), () => true, 30_000)
    expect(await takenBack()).to.include({ taskId, repeated: true })
    await red.statusOf(idIn(REPLACED, 'replacements'), '1 held')
    inject('withdrawal')
    expect(await takenBack()).to.include({ taskId, repeated: true })
  })
})
