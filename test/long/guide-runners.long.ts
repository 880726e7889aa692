/** The programs of the guide about testing run with vitest and jest, which are installed for this into a folder of their own. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { linkPackage, writeGuideSnippets } from '../support/consumer/guide-snippets.ts'
import { ran } from '../support/processes.ts'

/** The configuration that the guide names. */
const jest: object = JSON.parse(
  /`(\{ "testMatch".*?\})`/.exec(readFileSync(join(root, 'docs/guides/testing.md'), 'utf8'))![1]!,
)

describe('The guide about testing', () => {
  const folder = aFolder()
  const withVmModules = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' }
  before(() => {
    ensureBuilt()
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, jest: { ...jest, testTimeout: 60_000 } }),
    )
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', 'vitest', 'jest'], { cwd: folder })
    linkPackage(folder)
    writeGuideSnippets(folder)
  })

  it('has a program for vitest that passes', async () => {
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
    const limits = ['--testTimeout', '60000', '--hookTimeout', '60000']
    const { code, stdout } = await ran([vitest, 'run', ...limits, 'order.vitest.test.mjs'], { cwd: folder })
    expect(code, stdout).to.equal(0)
  })

  for (const name of ['order.jest.test.cjs', 'order.jest.test.mjs'])
    it(`has ${name}, which passes`, async () => {
      const bin = join(folder, 'node_modules/jest/bin/jest.js')
      const { code, stderr } = await ran([bin, name], { cwd: folder, env: withVmModules })
      expect(code, stderr).to.equal(0)
      expect(stderr).to.match(/1 passed, 1 total/)
    })
})
