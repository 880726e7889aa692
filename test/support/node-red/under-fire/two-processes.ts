/**
 * Two Node-REDs with the same flow and one journal in PostgreSQL, behind a load balancer through which documents and webhooks come, while
 * one of them is killed again and again: each document becomes one task, and each task one record.
 */
import { expect } from 'chai'
import { listAll } from '../../../../lib/client/list-all.ts'
import { eventually } from '../../eventually.ts'
import { aBalancer } from '../../network/a-balancer.ts'
import { freePort } from '../../network/free-port.ts'
import { killableService } from '../../outages/killable-service.ts'
import { aCreateBody, daysFromToday } from '../../service/a-create-body.ts'
import { SIGNER } from '../../service/order.ts'
import { aPostgres } from '../../store/postgres/a-postgres.ts'
import { again } from '../exchange.ts'
import { accept, createTask, flow, host, record, wait, webhookIn } from '../flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../node-red.ts'

export interface TwoProcesses {
  documents: number
  /** Resolves when it is time for the next kill; false ends the killing. @param recorded how many documents are recorded */
  nextKill: (recorded: () => number) => Promise<boolean>
  /** How long all may take. */
  withinMs: number
}

/** The probes of the nodes stay; their first outputs lead on. */
function leading([node, ...probes]: FlowNode[], ...outputs: string[][]): FlowNode[] {
  const wires = (node!.wires as string[][]).map((ids, output) => [...ids, ...(outputs[output] ?? [])])
  return [{ ...node!, wires }, ...probes]
}

export function sharedFlow(service: FlowNode, balancer: string): FlowNode[] {
  const saved = { p: 'savedId', pt: 'msg', t: 'set', to: '"SAVED-" & taskId', tot: 'jsonata' }
  return flow(
    service,
    { id: 'orders', type: 'http in', url: '/orders', method: 'post', wires: [['accept']] },
    ...leading(accept({ repeat: '1' }), ['create'], ['answer']),
    { id: 'answer', type: 'http response' },
    ...leading(createTask({ source: 'body', body: 'payload' }), ['wait']),
    ...leading(wait({ redelivery: 'acknowledged', repeat: '1' }), ['saved']),
    { id: 'saved', type: 'change', rules: [saved], wires: [['record']] },
    ...record(),
    ...webhookIn({ publicUrl: `${balancer}/countersign/events` }),
    ...['create', 'record'].flatMap(again),
  )
}

export async function twoProcesses({ documents, nextKill, withinMs }: TwoProcesses): Promise<void> {
  const [postgres, service] = [await aPostgres(), await killableService('--allow-http-webhooks')]
  const ports = [await freePort(), await freePort()]
  const balancer = await aBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
  const node = host(service.gateway.baseUrl, {
    credentials: { apiKey: service.key, journalUrl: await postgres.database() },
    // What a killed process was sending is waited for as long.
    timeout: '10',
    settle: '1',
    journal: 'postgres',
    journalLease: '3',
  })
  const reds: NodeRed[] = []
  try {
    for (const port of ports) {
      const red = await startNodeRed({ port })
      reds.push(red)
      await red.deploy(sharedFlow(node, balancer.url))
      await red.statusOf('webhook', /^listening/)
    }
    const recorded = () =>
      service.gateway.answered.filter(({ method, status }) => method === 'PATCH' && status < 300).length
    let kills = 0
    let isOver = false
    const killing = (async () => {
      while (!isOver && (await nextKill(recorded))) {
        const at = kills % reds.length
        kills += 1
        const { userDir, port } = reds[at]!
        await reds[at]!.kill()
        reds[at] = await startNodeRed({ userDir, port })
      }
    })()
    const ids = Array.from({ length: documents }, (_, index) => `SHARED-${process.pid}-${index}`)
    const sending = ids.values()
    const sender = async () => {
      for (const id of sending) await sends(balancer.url, id)
    }
    await Promise.all(Array.from({ length: 4 }, sender))
    await eventually(() => expect(recorded()).to.be.at.least(documents), withinMs)
    isOver = true
    await killing
    const tasks: { externalDocId?: string | null | undefined; taskId: number; saved: unknown }[] = []
    for await (const task of listAll(service.client, {}))
      tasks.push({
        externalDocId: task.externalDocId,
        taskId: task.taskId,
        saved: task.output?.externalSavedDocumentId,
      })
    expect(tasks.map(({ externalDocId }) => externalDocId).sort()).to.deep.equal(ids.toSorted())
    for (const { taskId, saved } of tasks) expect(saved).to.equal(`SAVED-${taskId}`)
    const patched = service.gateway.answered.filter(({ method, status }) => method === 'PATCH' && status < 300)
    expect(patched.map(({ url }) => url).sort(), 'each is recorded once').to.have.length(documents)
    for (const count of balancer.counts) expect(count, 'both have taken part').to.be.above(0)
    expect(kills, 'kills').to.be.above(0)
    console.log(
      `      ${documents} documents, ${tasks.length} tasks, ${patched.length} records, ${kills} kills, requests ${balancer.counts.join(' and ')}`,
    )
  } catch (failure) {
    for (const red of reds) console.log(red.log.join('').slice(-3000))
    throw failure
  } finally {
    for (const red of reds) await red.stop()
    await balancer.stop()
    await service.stop()
    await postgres.stop()
  }
}

/** As an engine does: sends again until it is told that the message is stored. */
async function sends(balancer: string, externalDocId: string): Promise<void> {
  const body = JSON.stringify(
    aCreateBody({
      performer: { signer: { userNPI: SIGNER.signs } },
      document: { externalDocId, effectiveDate: daysFromToday(0) },
    }),
  )
  await eventually(async () => {
    const { status } = await fetch(`${balancer}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(status).to.be.oneOf([200, 202])
  }, 120_000)
}
