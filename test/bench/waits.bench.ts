/**
 * What 10,000 waits cost inside one Node-RED: memory and processor time of its process, beside the floor of a plain Map of as
 * many entries with one timer. The waits are real, messages and journal included; the host only ever says Pending. At rest
 * means that no look is due. `node test/bench/waits.bench.ts`
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { flow, host, probe, wait } from '../support/node-red/flow.ts'
import { type FlowNode, startNodeRed } from '../support/node-red/node-red.ts'

const WAITS = 10_000
const LOOKING_MS = 4000
const RESTING_MS = 3000
/** The longest pause between two looks at a task. */
const LONGEST_PAUSE_S = 600

/** Processor time in microseconds: `until` and `from` leave out what the measuring itself costs. */
interface Use {
  heap: number
  until: number
  from: number
}

const measure = `
const used = () => { const { user, system } = process.cpuUsage(); return user + system }
msg.until = used()
v8.setFlagsFromString('--expose-gc')
vm.runInNewContext('gc')()
msg.heap = process.memoryUsage().heapUsed
msg.from = used()
return msg`

const makeMap = `
const map = new Map()
for (let id = 1; id <= ${WAITS}; id += 1) map.set(id, { at: Date.now() + 600000, delay: 2000 })
context.set('floor', { map, timer: setTimeout(() => map.clear(), 600000) })
return msg`

const functionNode = (id: string, func: string, libs: string[] = []): FlowNode => ({
  id,
  type: 'function',
  func,
  outputs: 1,
  wires: [[`${id}.0`]],
  libs: libs.map((name) => ({ var: name, module: name })),
})

let looks = 0
let isBusy = false
const service = createServer((request, response) => {
  looks += 1
  const taskId = Number(request.url!.split('/').at(-1)!.split('?')[0])
  const task = { taskId, status: 'Pending', statusReason: null, documentId: taskId, externalDocId: `ORDER-${taskId}` }
  response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json', ...(isBusy && { 'retry-after': '60' }) })
  response.end(JSON.stringify(isBusy ? { errors: ['busy'] } : task))
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
const { port } = service.address() as AddressInfo

const red = await startNodeRed({ settings: { functionExternalModules: true } })
try {
  await red.deploy(
    flow(
      host(`http://127.0.0.1:${port}`, { concurrency: '20', timeout: '10' }),
      ...wait(),
      functionNode('measure', measure, ['process', 'v8', 'vm']),
      probe('measure.0'),
      functionNode('map', makeMap),
      probe('map.0'),
    ),
  )
  const use = async () => {
    red.inject('measure')
    return (await red.next('measure.0')) as unknown as Use
  }

  const spent = (a: Use, b: Use) => b.until - a.from

  await use()
  const empty = await use()
  red.inject('map')
  await red.next('map.0')
  const withMap = await use()

  /** Percent of one processor from `start` on, over a few seconds. */
  const atRest = async (start: Use) => {
    const from = performance.now()
    await pause(RESTING_MS)
    return spent(start, await use()) / (performance.now() - from) / 10
  }
  const restingMap = await atRest(withMap)

  const beforeWaits = await use()
  for (let taskId = 1; taskId <= WAITS; taskId += 1) red.inject('wait', { taskId })
  await red.statusOf('wait', `${WAITS} waiting`, 20_000)
  const entered = await use()
  const enteredLooks = looks

  await pause(LOOKING_MS)
  const looked = await use()
  const made = looks - enteredLooks

  isBusy = true
  await pause(1000)
  const before = await use()
  const resting = await atRest(before)

  const perEntry = (a: Use, b: Use) => (b.heap - a.heap) / WAITS
  const [floor, ours] = [perEntry(empty, withMap), perEntry(beforeWaits, before)]
  const perLook = spent(entered, looked) / made
  const line = (what: string, value: number, unit: string, digits = 0) =>
    console.log(`${what.padEnd(44)}${value.toFixed(digits).padStart(8)} ${unit}`)
  line('a Map with one timer, memory per entry', floor, 'bytes')
  line('a wait, memory with its message', ours, `bytes   ${(ours / floor).toFixed(1)}×`)
  line('a wait, processor time to enter it', spent(beforeWaits, entered) / WAITS, 'µs, with journal and first looks')
  line('a look, processor time', perLook, `µs, over ${made} looks`)
  line(`a Map of ${WAITS} at rest, processor`, restingMap, '%', 2)
  line(`${WAITS} waits at rest, processor`, resting, '%', 2)
  line(`${WAITS} waits at their longest pause, processor`, (perLook * WAITS) / LONGEST_PAUSE_S / 10_000, '%', 2)
} finally {
  await red.stop()
  service.closeAllConnections()
  service.close()
}
