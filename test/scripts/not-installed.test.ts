/** The commands of the README in a clone in which nothing was installed. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'

describe('A clone without its dependencies', () => {
  for (const command of ['start', 'test', 'run demo'])
    it(`says what to do when npm ${command} is called`, async () => {
      const clone = aFolder()
      for (const part of ['package.json', 'scripts']) cpSync(join(root, part), join(clone, part), { recursive: true })
      const { code, stderr } = await ranProgram('npm', command.split(' '), { cwd: clone })
      expect(code).to.equal(1)
      expect(stderr).to.match(/^The dependencies are not installed\. Run npm install first\.$/m)
      expect(stderr).not.to.match(/^\s+at /m)
    })
})
