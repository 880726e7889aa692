/** The programs of the guide about testing run as they stand there, with the runners that need no installation. */
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { linkPackage, writeGuideSnippets } from '../support/consumer/guide-snippets.ts'
import { type Ran, ran } from '../support/processes.ts'

describe('The guide about testing', function () {
  this.timeout(300_000)
  const folder = aFolder()
  let names: string[]
  let byNode: Promise<Ran>
  let byMocha: Promise<Ran>
  before(() => {
    ensureBuilt()
    linkPackage(folder)
    names = writeGuideSnippets(folder)
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
    byNode = ran(['--test', 'order.test.mjs', 'handler.test.mjs'], { cwd: folder })
    byMocha = ran([mocha, '--timeout', '60000', 'order.spec.mjs'], { cwd: folder })
  })

  it('has a program for each runner', () => {
    expect(names).to.deep.equal([
      'order.test.mjs',
      'order.spec.mjs',
      'order.vitest.test.mjs',
      'order.jest.test.cjs',
      'order.jest.test.mjs',
      'handler.test.mjs',
    ])
  })

  it('has programs for node --test that pass', async () => {
    const { code, stdout } = await byNode
    expect(code, stdout).to.equal(0)
    expect(stdout).to.match(/pass 2\b/)
  })

  it('has a program for mocha that passes', async () => {
    const { code, stdout, stderr } = await byMocha
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.match(/1 passing/)
  })
})
