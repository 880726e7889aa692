/** Documents that are dropped into a folder, in a real Node-RED: to the service and to their end, over mistakes and a kill. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { anIndex, asCsv, asJson } from '../support/hl7/an-index.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, embedded, flow, orderFromFiles, retract } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { orderPdf } from '../support/service/order.ts'

const TODAY = new Date().toISOString().slice(0, 10)
const MAP = { documentTypes: { CMS485: { documentTypeId: 104 } }, columns: { documentId: 'Auftrag' } }

describe('the node order from files', function () {
  this.timeout(60_000)
  const folder = aFolder()
  let red: NodeRed

  const nodes = (more: Record<string, unknown> = {}) => {
    const [files, ...probes] = orderFromFiles(folder, MAP, more) as FlowNode[]
    const wires = [['create', 'order-from-files.0'], ['retract'], ['order-from-files.2']]
    const caught: FlowNode = { id: 'failures', type: 'catch', scope: ['create'], wires: [['order-from-files']] }
    return flow(embedded(), { ...files!, wires }, ...probes, ...createTask({ source: 'body' }), ...retract(), caught)
  }
  const drop = (name: string, index: object, pdf = orderPdf()) => {
    const { documentId, ...rest } = anIndex({ date: TODAY, ...index })
    const given = { Auftrag: documentId, ...rest }
    // As programs should: under another name, until it is whole.
    writeFileSync(join(folder, `${name}.pdf.tmp`), pdf)
    renameSync(join(folder, `${name}.pdf.tmp`), join(folder, `${name}.pdf`))
    writeFileSync(
      join(folder, name.startsWith('csv') ? `${name}.csv` : `${name}.json`),
      name.startsWith('csv') ? asCsv(given) : asJson(given),
    )
  }
  const lies = (place: string) => readdirSync(join(folder, place)).toSorted()
  const reasonsOf = (name: string) =>
    eventually(() => JSON.parse(readFileSync(join(folder, `error/${name}.reason.json`), 'utf8')).reasons as string[])

  before(async () => {
    red = await aNodeRed()
    await red.deploy(nodes())
    await red.statusOf('order-from-files', '0 in progress')
  })
  after(() => red?.stop())

  it('sends a document with an index in JSON or CSV, and moves both when the service has it', async () => {
    drop('order 1', { documentId: 'F-1' })
    drop('csv-2', { documentId: 'F-2' })
    const created = [await red.next('create.0'), await red.next('create.0')]
    expect(created.map(({ externalDocId }) => externalDocId)).to.have.members(['F-1', 'F-2'])
    await eventually(() =>
      expect(lies('done')).to.deep.equal(['csv-2.csv', 'csv-2.pdf', 'order 1.json', 'order 1.pdf']),
    )
    const message = await red.next('order-from-files.0', ({ filename }) => filename === 'order 1.pdf')
    expect(message).to.include({ action: 'create', externalDocId: 'F-1' })
    await red.statusOf('order-from-files', '0 in progress')
    await eventually(() => expect(lies('processing')).to.deep.equal([]))
  })

  it('makes one task of a document that is dropped twice', async () => {
    drop('order 1', { documentId: 'F-1' })
    expect(await red.next('create.0')).to.include({ externalDocId: 'F-1', duplicate: true })
    await eventually(() => expect(lies('done')).to.include.members(['order 1 (2).json', 'order 1 (2).pdf']))
  })

  it('takes back what was sent, by an index without a PDF', async () => {
    await red.deploy(nodes({ pairing: '0' }))
    writeFileSync(join(folder, 'back.json'), JSON.stringify({ action: 'retract', Auftrag: 'F-2' }))
    expect(await red.next('retract.0')).to.include({ externalDocId: 'F-2', status: 'Retracted' })
    await eventually(() => expect(lies('done')).to.include('back.json'))
    await red.deploy(nodes())
  })

  it('puts what cannot be used, or is refused, beside its reasons', async () => {
    drop('held', { documentId: 'F-3', documentType: 'OTHER', date: '' })
    const reasons = ['documentType: the code "OTHER" is not in documentTypes of the map', 'date: no date']
    const held = await red.next('order-from-files.2')
    expect(held.held).to.deep.equal(reasons)
    expect(held).to.not.have.any.keys('intake', 'payload')
    expect(await reasonsOf('held')).to.deep.equal(reasons)
    drop('refused', { documentId: 'F-4' }, Buffer.from('%PDF-1.7 and no more\n%%EOF\n'))
    expect((await reasonsOf('refused')).join()).to.match(/^document\.attachment: /)
    expect(lies('error')).to.deep.equal([
      'held.json',
      'held.pdf',
      'held.reason.json',
      'refused.json',
      'refused.pdf',
      'refused.reason.json',
    ])
  })

  it('says what is wrong with its settings, and waits', async () => {
    await red.deploy(nodes({ folder: '' }))
    await red.statusOf('order-from-files', 'no folder')
    await red.deploy(nodes({ map: '{"documentTypes": 7}' }))
    drop('waits', { documentId: 'F-5' })
    await red.statusOf('order-from-files', 'failed')
    await eventually(() => expect(red.log.join('')).to.contain('documentTypes'))
    await red.deploy(nodes({ folder: join(folder, 'away') }))
    await red.statusOf('order-from-files', 'folder unreachable')
    mkdirSync(join(folder, 'away'))
    await red.statusOf('order-from-files', '0 in progress')
    await red.deploy(nodes())
    expect(await red.next('create.0')).to.include({ externalDocId: 'F-5' })
  })

  it('makes one task of each document over kills at any moment', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `K-${at}`)
    for (const id of ids) drop(id, { documentId: id })
    for (const kills of [1, 2, 3]) {
      await eventually(() =>
        expect(
          lies('processing').length + lies('done').filter((name) => name.startsWith('K')).length,
        ).to.be.greaterThan(2 * kills),
      )
      await red.kill()
      red = await aNodeRed({ userDir: red.userDir, port: red.port })
    }
    await eventually(() => {
      // A document that two of the kills have met is put aside, as one that ends Node-RED; a person has it read again.
      for (const name of lies('error').filter((one) => /^K-\d+\.(pdf|json)$/.test(one)))
        renameSync(join(folder, 'error', name), join(folder, name))
      expect(lies('done').filter((name) => name.startsWith('K-'))).to.have.length(24)
    })
    await eventually(() => expect(lies('processing')).to.deep.equal([]))
    expect(lies('.').filter((name) => name.startsWith('K-'))).to.deep.equal([])
  })
})
