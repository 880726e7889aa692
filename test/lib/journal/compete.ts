/** A process of its own that claims every key of a journal that others claim too; prints how many it got. Run by a test. */
import { openJournal } from '../../../lib/journal/open.ts'

const [, , location = '', count = '0'] = process.argv
const journal = await openJournal(location, 'race')
let won = 0
for (let key = 0; key < Number(count); key++) {
  const known = await journal.change<number>(`key ${key}`, (was) => (was === undefined ? process.pid : undefined))
  if (known === undefined) won++
  // Every process also counts on one common entry; a lost write would show in the sum.
  await journal.change<number>('sum', (was = 0) => was + 1)
}
await journal.close()
console.log(won)
