/** How a test opens a database without the store around it. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../../lib/clock.ts'
import type { Opening } from '../../../server/store/sql/flavour.ts'
import { createPatience } from '../../../server/store/sql/patience.ts'

export const anOpening = (data: string): Opening => ({
  data,
  connections: 4,
  patience: createPatience(systemClock, Math.random),
  clock: systemClock,
  random: Math.random,
  instance: randomUUID(),
})
