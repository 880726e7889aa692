/** What a create node goes on with after a start: what an earlier one has left, and not what has just come. */
import { expect } from 'chai'
import type { Journal } from '../../lib/journal/journal.ts'
import { openJournal } from '../../lib/journal/open.ts'
import { type AcceptedOrders, createAcceptedOrders } from '../../nodes/shared/accepted/accepted-orders.ts'
import { createNews } from '../../nodes/shared/runtime/news.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../../nodes/shared/runtime/node-red.ts'
import type { ServiceNode, Taken } from '../../nodes/shared/service/connection.ts'
import { aCreateBody } from '../lib/support/bodies.ts'
import { aFolder } from '../support/a-folder.ts'
import { settle } from '../support/fake-clock.ts'

describe('the orders that a create node goes on with', () => {
  let journal: Journal
  let ids = 0
  let userDir: string
  let asides: number[]

  beforeEach(async () => {
    userDir = aFolder()
    asides = []
    journal = await openJournal(':memory:', 'accepted')
  })
  afterEach(() => journal.close())

  /** Of one node, made anew by each start. */
  const orders = () =>
    createAcceptedOrders({
      runtime: {
        settings: { credentialSecret: 'of a test', userDir },
        _: (key: string) => key,
        nodes: { eachNode: () => {} },
        util: { generateId: () => `order-${++ids}` },
      } as unknown as Runtime,
      node: { id: 'create' } as RuntimeNode,
      config: { id: 'create', type: 'countersign-create-task', keepLimit: '1' } as Config,
      onSetAside: (count) => void asides.push(count),
      service: {
        ownJournal: async () => ({ ...journal, takeOver: async () => 0 }),
        onBeat: () => () => {},
        taken: createNews<Taken>(),
      } as unknown as ServiceNode,
    })
  const order = (externalDocId: string) => ({ body: aCreateBody({ externalDocId }), warnings: [] })
  const resumed = async (accepted: AcceptedOrders): Promise<Message[]> => {
    const messages: Message[] = []
    await accepted.resume((message) => void messages.push(message))
    await settle()
    return messages
  }
  const kept = () => entriesOf(journal)

  it('are those that an earlier one has left, even when others come before they are read', async () => {
    await orders().accept({ _msgid: 'left' }, order('ORDER-1'))
    const next = orders()
    await next.accept({ _msgid: 'just come' }, order('ORDER-2'))
    const messages = await resumed(next)
    expect(messages.map(({ _msgid }) => _msgid)).to.deep.equal(['left'])
    expect(next.resumed(messages[0]!)?.order?.body.document.externalDocId).to.equal('ORDER-1')
    await next.close(false)
    expect(await kept()).to.have.length(2)
  })

  it('stay in the journal when the node was deleted, for a person to send or discard', async () => {
    const deleted = orders()
    await deleted.accept({ _msgid: 'left' }, order('ORDER-1'))
    await deleted.close(true)
    expect(await kept()).to.have.length(1)
    expect((await resumed(orders())).map(({ _msgid }) => _msgid)).to.deep.equal(['left'])
  })
})

async function entriesOf(journal: Journal): Promise<unknown[]> {
  const entries: unknown[] = []
  for await (const entry of journal.entries()) entries.push(entry)
  return entries
}
