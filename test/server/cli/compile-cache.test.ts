/** What the command keeps of its compiled code between two starts, and where it does without. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../../support/built.ts'
import { type Ran, ran } from '../../support/processes.ts'

const COMMAND = join(root, 'bin/countersign.cjs')
const PLACE = ['.cache', 'countersign', 'compiled']

describe('what the command keeps of its compiled code', function () {
  this.timeout(30_000)
  let home: string
  let kept: string

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'countersign-home-'))
    kept = join(home, ...PLACE)
  })
  afterEach(() => {
    chmodSync(home, 0o700)
    rmSync(home, { recursive: true })
  })

  /** Runs the command as somebody with this home, and has Node.js say on standard error what it does with the cache. */
  async function run(env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, CACHE_DIRECTORY: ___, ...others } = process.env
    const own = { ...others, HOME: home, USERPROFILE: home, NODE_DEBUG_NATIVE: 'COMPILE_CACHE', ...env }
    const result = await ran([COMMAND, 'serve', '--help'], { env: own })
    expect(result.code).to.equal(0)
    expect(result.stdout).to.include('start the service')
    return result
  }
  const wasUsed = ({ stderr }: Ran) => /main\.[jt]s was accepted/.test(stderr)

  it('is used by the next start, and is for this user alone', async () => {
    expect(wasUsed(await run())).to.equal(false)
    expect(wasUsed(await run())).to.equal(true)
    expect(statSync(kept).mode & 0o777).to.equal(0o700)
  })

  it('lies in the folder that systemd gives', async () => {
    const given = join(home, 'given')
    mkdirSync(given, { mode: 0o700 })
    await run({ CACHE_DIRECTORY: given })
    expect(wasUsed(await run({ CACHE_DIRECTORY: given }))).to.equal(true)
    expect(readdirSync(home)).to.deep.equal(['given'])
  })

  for (const depth of [0, 1, 2, 3])
    it(`is not used where others may write to ${join('~', ...PLACE.slice(0, depth))}`, async () => {
      await run()
      chmodSync(join(home, ...PLACE.slice(0, depth)), 0o770)
      expect((await run()).stderr).to.equal('')
    })

  it('is nothing where there is no home, and nobody hears of it', async () => {
    expect((await run({ HOME: join(home, 'none'), USERPROFILE: join(home, 'none') })).stderr).to.equal('')
    expect(readdirSync(home)).to.deep.equal([])
  })

  it('is nothing where NODE_DISABLE_COMPILE_CACHE says so', async () => {
    expect(wasUsed(await run({ NODE_DISABLE_COMPILE_CACHE: '1' }))).to.equal(false)
    expect(existsSync(join(home, '.cache'))).to.equal(false)
  })

  it('lies where NODE_COMPILE_CACHE says', async () => {
    const elsewhere = join(home, 'elsewhere')
    await run({ NODE_COMPILE_CACHE: elsewhere })
    expect(wasUsed(await run({ NODE_COMPILE_CACHE: elsewhere }))).to.equal(true)
    expect(existsSync(join(home, '.cache'))).to.equal(false)
  })
})
