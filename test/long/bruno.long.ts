/** `npm run test:long`: Bruno's own program runs the requests of `bruno/` against a sandbox. It is fetched for this test alone. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'
import { serve } from '../support/service/served.ts'

/** It brings 500 packages, one of which has an install script; the script does not run. */
const BRUNO = '@usebruno/cli@4.1.0'

describe('The requests for Bruno', () => {
  it('are each answered with 2xx by a sandbox, in their order', async () => {
    const service = await serve(['--sandbox', '--seed', 'demo', '--data', ':memory:'])
    try {
      const cwd = join(aFolder(), 'bruno')
      cpSync(join(root, 'bruno'), cwd, { recursive: true })
      const variables = [`baseUrl=${service.baseUrl}`, `apiKey=${service.apiKeys[0]!.key}`]
      const run = ['bru', 'run', '--env', 'sandbox', ...variables.flatMap((variable) => ['--env-var', variable])]
      const { stdout, stderr, code } = await ranProgram(
        'npx',
        ['--yes', '--ignore-scripts', '--package', BRUNO, ...run],
        { cwd },
      )
      const statuses = [...stdout.matchAll(/^(\d\d .+) \((\d{3}) /gm)].map(([, name, status]) => ({ name, status }))
      expect(statuses, `${stdout}${stderr}`).to.have.length(15)
      for (const { name, status } of statuses) expect(status, name).to.match(/^2/)
      expect(code).to.equal(0)
    } finally {
      await service.kill()
    }
  })
})
