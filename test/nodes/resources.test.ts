/** The scripts of the forms. Node-RED loads them side by side, so they run in any order. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'

/** What the editor has before any of them. */
const RED = { events: { on() {} } }
const resources = join(import.meta.dirname, '../../resources')

describe('the scripts of the forms', () => {
  for (const file of globSync(join(resources, '*.js')))
    it(`${basename(file)} needs no other script while it loads`, () => {
      const window = {}
      runInNewContext(readFileSync(file, 'utf8'), { window, RED })
      expect(Object.keys(window)).to.have.length(1)
    })
})
