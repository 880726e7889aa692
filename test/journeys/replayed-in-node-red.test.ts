/** An example in a real Node-RED, recorded on a host that is not ours and then run again on the recording alone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../support/foreign-host/foreign-host.ts'
import { type ScriptedSigners, scriptedSigners } from '../support/foreign-host/scripted-signers.ts'
import { exampleFlow, idIn, press } from '../support/node-red/examples/examples.ts'
import { host as hostNode } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { listening, serve } from '../support/service/served.ts'

const EXAMPLE = 'File drop to signed file'
const ACME = join(import.meta.dirname, '../support/foreign-host/acme.json')

describe('an example that was recorded in Node-RED', function () {
  this.timeout(120_000)
  const recording = join(aFolder(), 'recording')
  let foreign: ForeignHost
  let signers: ScriptedSigners
  let red: NodeRed

  before(async () => {
    foreign = await foreignHost()
    signers = scriptedSigners(foreign)
    red = await startNodeRed({ cwd: aFolder() })
  })
  after(async () => {
    await red?.stop()
    signers?.end()
    await foreign?.stop()
  })

  /** Runs the flow at this address, and returns what it ends with. */
  async function run(baseUrl: string, apiKey: string) {
    const service = hostNode(baseUrl, { credentials: { apiKey }, timeout: '30', profile: readFileSync(ACME, 'utf8') })
    const nodes = exampleFlow(EXAMPLE).map((node) => {
      if (node.type === 'countersign-service') return { ...service, id: node.id }
      return node.type === 'debug' ? { ...node, type: 'probe' } : node
    })
    await red.deploy(nodes)
    await press(red, EXAMPLE, 'Drop a PDF')
    const { taskId, status, filename, externalSavedDocumentId } = await red.next(
      idIn(EXAMPLE, 'signed file'),
      () => true,
      60_000,
    )
    expect(red.waiting(idIn(EXAMPLE, 'failure'))).to.deep.equal([])
    expect(externalSavedDocumentId).to.equal(filename)
    return { taskId, status, file: readFileSync(String(filename)) }
  }

  it('ends the same, without the host', async () => {
    const where = ['--url', foreign.baseUrl, '--listen', '0', '--out', recording]
    const recorder = await listening(['record', ...where, '--profile', ACME])
    const live = await run(recorder.baseUrl, FOREIGN_KEY)
    expect(live).to.include({ status: 'Completed' })
    expect(await recorder.stop()).to.equal(0)
    const asked = foreign.requests.length

    const replayed = await serve(['--replay', recording])
    try {
      // This host hands back the document that it was sent, and so does its recording.
      expect(await run(replayed.baseUrl, 'any-key-of-a-replay')).to.deep.equal(live)
      expect(foreign.requests).to.have.lengthOf(asked)
    } finally {
      await replayed.stop()
    }
  })
})
