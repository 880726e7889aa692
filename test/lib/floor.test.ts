/** Which versions of Node.js will do. `npm run check:package` runs the package on the lowest of them, and on one below. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { floorProblem, LOWEST_NODE } from '../../lib/floor.ts'

describe('The lowest version of Node.js', () => {
  it('is what the package asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(engines.node).to.equal(`>=${LOWEST_NODE}`)
  })

  it('and later ones will do', () => {
    for (const version of [LOWEST_NODE, '22.23.3', '24.0.0', '100.1.0']) expect(floorProblem(version)).to.equal(null)
  })

  for (const version of ['18.20.0', '20.19.5', '22.12.0', '22.9.0'])
    it(`is asked for by ${version}`, () => {
      expect(floorProblem(version)).to.equal(
        `Countersign needs Node.js ${LOWEST_NODE} or later, and this is ${version}.`,
      )
    })
})
