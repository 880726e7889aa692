/** The programs of the sandbox guide that assert what was sent run as they stand. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const guide = readFileSync(join(root, 'docs/guides/sandbox.md'), 'utf8')

describe('the assertions of the sandbox guide', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service?.stop())

  for (const [name, program] of [
    ['assert.sh', 'sh'],
    ['test_orders.py', 'python3'],
    ['assert.mjs', process.execPath],
  ] as const) {
    const run = async () => {
      const folder = aFolder()
      const [, code] = new RegExp(`^\`\`\`\\w+ ${name.replace('.', '\\.')}\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)!
      writeFileSync(join(folder, name), code!)
      const env = { ...process.env, URL: service.baseUrl, KEY: service.key }
      return ranProgram(program, [name], { cwd: folder, env })
    }
    it(`${name} finds the one create`, async () => {
      const { stdout, stderr } = await run()
      expect(stdout, stderr).to.equal('one create was sent\n')
    })

    it(`${name} fails when no create was answered`, async () => {
      const body = { on: 'request', operation: 'createTask', fault: 'reset', times: 1 }
      await service.ask('POST', '/sandbox/v1/faults', { body })
      const failed = await run().then(
        ({ stdout }) => stdout,
        (failure: Error) => failure.message,
      )
      expect(failed).not.to.equal('one create was sent\n')
      await service.ask('DELETE', '/sandbox/v1/faults')
    })
  }
})
