/** What the evidence of a scenario is judged to be, without a Node-RED. */
import { expect } from 'chai'
import { enabledNodes, type FlowNode, rehearsedFlow, unsafeTypes } from '../../../server/cli/rehearse/rehearsed-flow.ts'
import { type Comparison, type Evidence, failuresIn, keptBack } from '../../../server/cli/rehearse/verdict.ts'
import type { SeenTask } from '../../../server/cli/rehearse/world.ts'

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Orders' },
  { id: 'button', type: 'inject', z: 'tab', name: 'Send', wires: [['create']] },
  { id: 'create', type: 'countersign-create-task', z: 'tab', wires: [['wait']] },
  { id: 'wait', type: 'countersign-wait', z: 'tab', wires: [['record'], ['shown']] },
  { id: 'record', type: 'countersign-record', z: 'tab', wires: [['shown']] },
  { id: 'shown', type: 'debug', z: 'tab' },
  { id: 'events', type: 'countersign-webhook-in', z: 'tab', path: '/events', wires: [[]] },
]
const hop = (from: string, to: string, taskId: number | null, status: string | null) => ({
  from,
  to,
  message: 'm',
  taskId,
  status,
})
const task: SeenTask = {
  taskId: 1001,
  status: 'Completed',
  inReview: false,
  externalDocId: 'ORDER-1',
  isRecorded: true,
}
const exchange = (changes: object) =>
  ({
    direction: 'request',
    operation: 'readTask',
    status: 200,
    fault: null,
    url: '/',
    requestBody: '',
    ...changes,
  }) as Evidence['exchanges'][number]
const saved = (id: string) =>
  exchange({ operation: 'updateTask', status: 204, url: `/tasks/1001?externalSavedDocumentId=${id}` })

const good: Evidence = {
  scenario: 'all is well',
  folder: '/tmp/one',
  flow,
  tasks: [task],
  exchanges: [saved('/tmp/one/1.pdf')],
  witnessed: {
    hops: [
      hop('button', 'create', null, null),
      hop('create', 'wait', 1001, 'Received'),
      hop('wait', 'record', 1001, 'Completed'),
      hop('record', 'shown', 1001, 'Completed'),
    ],
    caught: [],
    shown: [],
    logged: [],
    refused: [],
    working: new Map(),
  },
  forgeries: [],
  fed: [{ node: 'button', tasks: 1, wasKilled: false }],
  isEnded: true,
}
const texts = (changes: Partial<Evidence>, comparison: Comparison | null = null) =>
  failuresIn({ ...good, ...changes }, comparison).map(({ text }) => text)
const seen = (changes: Partial<Evidence['witnessed']>) => ({ witnessed: { ...good.witnessed, ...changes } })
const comparedTo = (calm: Evidence, changes: Partial<Comparison> = {}): Comparison => ({
  calm,
  isLossless: false,
  isRepetition: false,
  ...changes,
})

describe('the verdict of a rehearsal', () => {
  it('finds nothing in a flow that records its outcome', () => expect(texts({})).to.deep.equal([]))

  it('counts an outcome that is not recorded once, after the last node that it reached', () =>
    expect(texts({ tasks: [{ ...task, isRecorded: false }] })).to.deep.equal([
      'The outcome Completed was not recorded after countersign-record of “Orders”',
    ]))

  it('counts an outcome that no node took up once', () =>
    expect(
      texts({ tasks: [{ ...task, isRecorded: false }], ...seen({ hops: good.witnessed.hops.slice(0, 2) }) }),
    ).to.deep.equal(['The outcome Completed led nowhere after countersign-wait of “Orders”']))

  it('names the nodes whose errors kept every order back, each once, and nothing where there was no error', () => {
    const logged = ['create', 'create', 'elsewhere'].map((node) => ({ node, isError: true, text: '' }))
    const warned = [{ node: 'wait', isError: false, text: '' }]
    const texts = keptBack({ ...good, ...seen({ logged: [...logged, ...warned] }) }).map(({ text }) => text)
    expect(texts).to.deep.equal(['No order reached the sandbox after an error of countersign-create-task of “Orders”'])
    expect(keptBack({ ...good, ...seen({ logged: warned }) })).to.deep.equal([])
  })

  it('says nothing else of a flow that did not come to rest', () =>
    expect(texts({ isEnded: false, tasks: [] })).to.deep.equal([
      'The flow did not come to rest in five minutes after debug of “Orders”',
    ]))

  it('finds a task that does not end', () =>
    expect(texts({ tasks: [{ ...task, status: 'Pending', isRecorded: false }] })).to.deep.equal([
      'A task stayed Pending after countersign-record of “Orders”',
    ]))

  it('finds one document in two tasks', () =>
    expect(texts({ tasks: [task, { ...task, taskId: 1002 }] })).to.deep.equal([
      'countersign-create-task of “Orders” sent one document as several tasks',
    ]))

  it('lets a document be sent again under its id once it has failed', () =>
    expect(
      texts({
        tasks: [{ ...task, taskId: 1000, status: 'Failed', isRecorded: false }, task],
        ...seen({ hops: [...good.witnessed.hops, hop('wait', 'shown', 1000, 'Failed')] }),
      }),
    ).to.deep.equal([]))

  it('finds a document that became two tasks of two ids after a kill', () => {
    const killed = { fed: [{ node: 'button', tasks: 2, wasKilled: true }] }
    const both = { tasks: [task, { ...task, taskId: 1002, externalDocId: 'ORDER-2' }] }
    expect(texts({ ...killed, ...both }, comparedTo(good))).to.deep.equal([
      'countersign-create-task of “Orders” sent one document as several tasks',
    ])
  })

  it('finds a document that was lost', () =>
    expect(
      texts(
        { tasks: [], fed: [{ node: 'button', tasks: 0, wasKilled: false }] },
        comparedTo(good, { isLossless: true }),
      ),
    ).to.deep.equal(['A document was lost after countersign-record of “Orders”']))

  it('compares the ids of a repetition, in whatever folder the files are', () => {
    const again = (id: string) =>
      texts({ folder: '/tmp/two', exchanges: [saved(id)] }, comparedTo(good, { isRepetition: true }))
    expect(again('/tmp/two/1.pdf')).to.deep.equal([])
    expect(again('/tmp/two/2.pdf')).to.deep.equal([
      'countersign-record of “Orders” recorded the same document under another id than before',
    ])
  })

  it('finds an outcome that is recorded under two ids, also when the answer was lost', () =>
    expect(texts({ exchanges: [{ ...saved('A'), status: null }, saved('B')] })).to.deep.equal([
      'countersign-record of “Orders” recorded one outcome under several ids',
    ]))

  it('finds an error of a reached node that no catch node received', () => {
    const error = { logged: [{ node: 'create', isError: true, text: 'refused' }] }
    const uncaught = ['No catch node received the error of countersign-create-task of “Orders”']
    expect(texts(seen(error))).to.deep.equal(uncaught)
    expect(texts(seen({ ...error, caught: ['create'] }))).to.deep.equal([])
    expect(texts(seen({ logged: [{ node: 'events', isError: true, text: 'no service' }] }))).to.deep.equal([])
  })

  it('finds a forged webhook that was accepted, or led to an act', () => {
    const passed = ['countersign-webhook-in of “Orders” let a forged webhook pass']
    const forged = (status: number) =>
      exchange({ direction: 'webhook', fault: 'changed-body', status, url: 'http://127.0.0.1:1/events' })
    expect(texts({ exchanges: [...good.exchanges, forged(204)] })).to.deep.equal(passed)
    expect(texts({ exchanges: [...good.exchanges, forged(400)] })).to.deep.equal([])
    expect(texts({ forgeries: [{ node: 'events', acted: true }] })).to.deep.equal(passed)
  })

  it('finds patient data in the log, in debug, and in a status', () => {
    const sent = exchange({ operation: 'createTask', requestBody: '{"family":"Whitfield"}' })
    const found = (changes: Partial<Evidence['witnessed']>) =>
      texts({ exchanges: [...good.exchanges, sent], ...seen(changes) })
    expect(found({ shown: [{ node: 'shown', text: 'Task 1001' }] })).to.deep.equal([])
    expect(found({ shown: [{ node: 'shown', text: 'for Whitfield' }] })).to.deep.equal([
      'debug of “Orders” showed patient data',
    ])
    expect(found({ logged: [{ node: '', isError: false, text: 'Whitfield' }] })).to.deep.equal([
      'Node-RED wrote patient data into the log',
    ])
  })
})

describe('the flow of a rehearsal', () => {
  const around = {
    baseUrl: 'http://127.0.0.1:1',
    keyOf: () => 'a key',
    nodeUrl: 'http://127.0.0.1:2',
    folder: '/tmp/rehearsal',
    portFor: () => '3',
  }
  const [only] = [(node: object) => rehearsedFlow([{ id: 'a', type: '', ...node }], around)[0]]

  it('calls the sandbox in place of a host, without its TLS, proxy and profile', () =>
    expect(
      only({
        type: 'countersign-service',
        mode: 'host',
        baseUrl: 'https://host.example',
        tls: 't',
        proxy: 'p',
        profile: 'q',
      }),
    ).to.include({ mode: 'host', baseUrl: 'http://127.0.0.1:1', tls: '', proxy: '', profile: '' }))

  it('has one journal for all services, as Node-RED wants it', () => {
    const services = ['a', 'b'].map((id) => ({ id, type: 'countersign-service', journalFolder: `/journals/${id}` }))
    const folders = rehearsedFlow(services, around).map(({ journalFolder }) => journalFolder)
    expect(new Set(folders)).to.deep.equal(new Set(['/tmp/rehearsal/journal']))
  })

  it('keeps files in its folder', () => {
    for (const filename of [
      '/etc/orders.pdf',
      'C:\\orders.pdf',
      '~/orders.pdf',
      '../../orders.pdf',
      'a/../../orders.pdf',
    ])
      expect(only({ type: 'file', filename, filenameType: 'str' })!.filename, filename).to.match(/^\/tmp\/rehearsal\//)
    expect(only({ type: 'file', filename: 'out/orders.pdf' })!.filename).to.equal('out/orders.pdf')
  })

  it('presses no button by itself, and asks no other system', () => {
    expect(only({ type: 'inject', once: true, repeat: '5' })).to.include({ once: false, repeat: '' })
    const url = 'http://127.0.0.1:3000/other'
    expect(only({ type: 'http request', url })!.url).to.equal(url)
  })

  it('has no node that is disabled, or on a tab that is', () => {
    const nodes = [
      { id: 't', type: 'tab', disabled: true },
      { id: 'a', type: 'exec', z: 't' },
      { id: 'b', type: 'exec', d: true },
    ]
    expect(enabledNodes(nodes)).to.deep.equal([])
  })

  it('names the types that may act on other systems', () => {
    const types = ['inject', 'exec', 'tcp out', 'countersign-wait', 'function', 'mqtt-broker', 'ui-table', 'link call']
    const nodes = types.map((type) => ({ id: type, type }))
    expect(unsafeTypes(nodes, [])).to.deep.equal(['exec', 'tcp out', 'mqtt-broker', 'ui-table'])
    expect(unsafeTypes(nodes, ['ui-table'])).to.deep.equal(['exec', 'tcp out', 'mqtt-broker'])
  })
})
