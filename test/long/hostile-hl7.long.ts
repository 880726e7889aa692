/** `npm run test:long`: hostile messages of up to 32 MB. `SEED=…` repeats a run, and `COUNT=…` shortens it. */
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { hostileRun } from '../support/hl7/hostile-run.ts'
import { started } from '../support/processes.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const count = Number(process.env.COUNT ?? 2000)
const MEGABYTE = 1024 * 1024
const MOST = 32 * MEGABYTE - 4096
const command = join(import.meta.dirname, '../../bin/countersign.cjs')

/** Returns a size whose magnitude grows with `share` from 0 to 1. */
const magnitude = (least: number, most: number, share: number) => Math.round(least * (most / least) ** share)

/** One in 80 is as long as may be, and one in 80 is of 16 MB or more; the others are of every magnitude up to 8 MB. */
const sizes = Array.from({ length: count }, (_, index) => {
  if (index % 80 === 0) return MOST
  if (index % 80 === 40) return magnitude(16 * MEGABYTE, MOST, (index % 97) / 96)
  return magnitude(100, 8 * MEGABYTE, (index % 97) / 96)
})
const large = sizes.filter((size) => size >= 16 * MEGABYTE).length

describe(`${count} hostile messages in HL7 v2`, function () {
  this.timeout(3_600_000)

  it('block the event loop for at most 200 ms at a time, take at most 600 MB of memory, and end no process', async () => {
    let commands = 0
    const begun = Date.now()
    const run = await hostileRun(seed, sizes, async ({ bytes, what }, index) => {
      if (index % 100 !== 0) return
      commands += 1
      const child = started([command, 'map', '-', '--from', 'hl7'])
      let says = ''
      child.stdout!.resume()
      child.stderr!.on('data', (chunk) => (says += chunk))
      child.stdin!.on('error', () => {})
      child.stdin!.end(bytes)
      const [code] = await once(child, 'close')
      expect(code, `${what}: ${says.slice(0, 300)}`).to.be.oneOf([0, 1])
    })
    // Blocks are processor time of the main thread between two turns of the event loop, as other programs share the machine.
    // Memory is the most that the process which takes the messages ever had; the messages are made in this one.
    const seconds = Math.round((Date.now() - begun) / 1000)
    console.log(`      SEED=${seed} ${JSON.stringify({ ...run, large, commands, seconds })}`)
    expect(run.worst.ms, run.worst.what).to.be.at.most(200)
    expect(run.memory).to.be.lessThan(600)
  })
})
