/** The programs of the sandbox guide that assert what was sent run as they stand: in a shell, with Python, with pytest, and with Node.js. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'
import { installed } from '../support/seen/external-checks.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const guide = readFileSync(join(root, 'docs/guides/sandbox.md'), 'utf8')

/** Debian's python3-pytest. Without it the program calls the function that pytest would find, as the test before it does. */
const hasPytest = installed.python3 && (await ranProgram('python3', ['-m', 'pytest', '--version'])).code === 0

interface Program {
  isInstalled: boolean
  file: string
  command: readonly [program: string, ...args: string[]]
  passes: RegExp
}

const programs: Readonly<Record<string, Program>> = {
  'a shell with curl': {
    isInstalled: installed.curl,
    file: 'assert.sh',
    command: ['sh', 'assert.sh'],
    passes: /^one create was sent$/m,
  },
  Python: {
    isInstalled: installed.python3,
    file: 'test_orders.py',
    command: ['python3', 'test_orders.py'],
    passes: /^one create was sent$/m,
  },
  [`pytest${hasPytest ? '' : ', which is not installed here: by Python itself'}`]: {
    isInstalled: installed.python3,
    file: 'test_orders.py',
    command: hasPytest
      ? ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_orders.py']
      : [
          'python3',
          '-c',
          'import test_orders as t; [f() for n, f in vars(t).items() if n[:5] == "test_"]; print("1 passed")',
        ],
    passes: /^1 passed/m,
  },
  'Node.js': {
    isInstalled: true,
    file: 'assert.mjs',
    command: [process.execPath, 'assert.mjs'],
    passes: /^one create was sent$/m,
  },
}

describe('the assertions of the sandbox guide', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service?.stop())

  for (const [name, { isInstalled, file, command, passes }] of Object.entries(programs)) {
    if (!isInstalled) continue
    const run = () => {
      const folder = aFolder()
      const [, code] = new RegExp(`^\`\`\`\\w+ ${file.replace('.', '\\.')}\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)!
      writeFileSync(join(folder, file), code!)
      const env = { ...process.env, URL: service.baseUrl, KEY: service.key }
      const [program, ...args] = command
      return ranProgram(program, args, { cwd: folder, env })
    }
    it(`find the one create, in ${name}`, async () => {
      const { code, stdout, stderr } = await run()
      expect(stdout, stderr).to.match(passes)
      expect(code).to.equal(0)
    })

    it(`fail when no create was answered, in ${name}`, async () => {
      const body = { on: 'request', operation: 'createTask', fault: 'reset', times: 1 }
      await service.ask('POST', '/sandbox/v1/faults', { body })
      const { code, stdout } = await run()
      expect(code).not.to.equal(0)
      expect(stdout).not.to.match(passes)
      await service.ask('DELETE', '/sandbox/v1/faults')
    })
  }
})
