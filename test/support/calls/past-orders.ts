/** The orders of the past weeks: as a year of work leaves them, of a few families, one every half minute until now. */

import { type Random, randomFrom } from '../random.ts'
import { DOCUMENT_TYPE } from '../service/a-create-body.ts'
import { writeTasks } from '../store/many-tasks.ts'
import type { PlannedTask } from '../store/rows-of-a-task.ts'
import { type Directory, PATIENT } from './agencies.ts'

const APART_MS = 30_000
const families = [
  PATIENT.family,
  'Smith',
  'Johnson',
  'García',
  'Müller',
  'Nguyen',
  'O’Brien',
  'Rossi',
  'Okafor',
  'Lindqvist',
]

/** Each as often as it is here. Nothing is under way, so no worker of the service has anything to do with them. */
const ends: readonly PlannedTask['kind'][] = [
  ...Array<PlannedTask['kind']>(16).fill({ status: 'Completed', isFiled: true }),
  { status: 'Completed' },
  { status: 'Pending' },
  { status: 'Rejected', isFiled: true },
  { status: 'Failed' },
]

export async function writePast(
  data: string,
  masterKey: Uint8Array,
  count: number,
  { senders, signerNpis }: Directory,
  now: number,
): Promise<void> {
  const random = randomFrom(1)
  await writeTasks(data, masterKey, count, (n) => ({
    n,
    documentTypeId: DOCUMENT_TYPE,
    kind: random.pick(ends),
    ...random.pick(senders),
    signerNpi: random.pick(signerNpis),
    deliveryState: deliveryState(random),
    at: new Date(now - (count - n) * APART_MS).toISOString(),
    family: random.pick(families),
  }))
}

const deliveryState = (random: Random): PlannedTask['deliveryState'] =>
  random.isSo(0.99) ? 'delivered' : random.pick(['failed', 'cancelled'] as const)
