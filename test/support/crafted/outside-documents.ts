/** Random documents outside of the grammar: crafted orders of all kinds, and variants of each with another number in one place. */
import { writtenPdf } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'
import { craftedOrders, variantPdf } from './crafted-orders.ts'
import { craftedStructures } from './crafted-structures.ts'

const all = Object.entries({ ...craftedStructures, ...craftedOrders })

/** The first round is of the orders as they are. */
export function outsideDocument(random: Random, number: number): { name: string; pdf: Uint8Array } {
  const [name, make] = all[number % all.length]!
  return { name, pdf: number < all.length ? writtenPdf(make()).pdf : variantPdf(make(), random) }
}
