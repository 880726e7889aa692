/** Runs in a thread of its own, whose small heap is collected at no other time. Says what was collected after each step. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { collect, collectAfter } from '../../../nodes/shared/large/collect.ts'

const MEGABYTE = 1024 * 1024
const collected: string[] = []
const registry = new FinalizationRegistry<string>((name) => collected.push(name))
const leave = (name: string) => registry.register(new Uint8Array(MEGABYTE), name)
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
const after: Record<string, string[]> = {}
const note = async (step: string) => {
  await turns(20)
  after[step] = [...collected]
}

leave('first')
await note('nothing')
collect('regular')
await note('collect')
leave('second')
for (let message = 0; message < 23; message++) collectAfter(MEGABYTE)
await note('23 MB')
collectAfter(MEGABYTE)
after['the same turn'] = [...collected]
await note('24 MB')
leave('third')
collectAfter(MEGABYTE)
await note('1 MB more')
parentPort?.postMessage({ after, isKnown: 'gc' in globalThis })
