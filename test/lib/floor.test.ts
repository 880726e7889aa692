/** Which versions of Node.js will do. `npm run check:package` runs the package on the lowest of them, and on some below. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { floorProblem, LOWEST_NODE, LOWEST_NODE_AFTER_22 } from '../../lib/floor.ts'

const root = join(import.meta.dirname, '../..')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What commonjs/floor.cjs says, which reads package.json itself. */
function problemForCommonJs(node: string): string | null {
  const exports: { problem?: string | null } = {}
  const code = readFileSync(join(root, 'commonjs/floor.cjs'), 'utf8')
  runInNewContext(code, { exports, require: () => ({ engines }), process: { versions: { node } } })
  return exports.problem!
}

describe('The lowest version of Node.js', () => {
  it('is what the package asks for', () => {
    expect(engines.node).to.equal(`^${LOWEST_NODE} || >=${LOWEST_NODE_AFTER_22}`)
  })

  for (const version of [LOWEST_NODE, '22.23.3', LOWEST_NODE_AFTER_22, '24.21.0', '26.10.0', '100.1.0'])
    it(`and later ones will do: ${version}`, () => {
      expect(floorProblem(version)).to.equal(null)
      expect(problemForCommonJs(version)).to.equal(null)
    })

  for (const [version, needed] of [
    ['18.20.0', LOWEST_NODE],
    ['20.19.5', LOWEST_NODE],
    ['22.12.0', LOWEST_NODE],
    ['22.9.0', LOWEST_NODE],
    ['23.0.0', LOWEST_NODE_AFTER_22],
    ['23.11.1', LOWEST_NODE_AFTER_22],
  ] as const)
    it(`is asked for by ${version}`, () => {
      const sentence = `Countersign needs Node.js ${needed} or later, and this is ${version}.`
      expect(floorProblem(version)).to.equal(sentence)
      expect(problemForCommonJs(version)).to.equal(sentence)
    })
})
