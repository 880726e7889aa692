/** Where the command line takes the password of PostgreSQL from: each way that the help names, on a real server. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { countersign } from '../../support/service/served.ts'
import { aPostgres, POSTGRES_PASSWORD, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

describe('the password of PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres
  let url: URL
  before(async () => {
    postgres = await aPostgres()
    url = new URL(await postgres.database())
    url.password = ''
  })
  after(() => postgres?.stop())

  const asked = (environment: Record<string, string>) =>
    countersign(['organizations', 'create', '--name', `Of ${Object.keys(environment)}`, '--data', url.href], {
      COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
      // Where no file of the person who runs the tests is.
      HOME: aFolder(),
      ...environment,
    })
  const line = (password: string) => `127.0.0.1:${url.port}:*:postgres:${password}\n`

  function fileIn(folder: string, name: string, mode = 0o600): string {
    const file = join(folder, name)
    writeFileSync(file, line(POSTGRES_PASSWORD))
    chmodSync(file, mode)
    return file
  }

  it('comes from PGPASSWORD', async () => {
    expect(await asked({ PGPASSWORD: POSTGRES_PASSWORD })).to.include({ code: 0, stderr: '' })
  })

  it('comes from ~/.pgpass', async () => {
    const home = aFolder()
    fileIn(home, '.pgpass')
    expect(await asked({ HOME: home })).to.include({ code: 0, stderr: '' })
  })

  it('comes from the file that PGPASSFILE names', async () => {
    expect(await asked({ PGPASSFILE: fileIn(aFolder(), 'passwords') })).to.include({ code: 0, stderr: '' })
  })

  it('comes from PGPASSWORD before any file', async () => {
    const { code, stderr } = await asked({ PGPASSWORD: 'another', PGPASSFILE: fileIn(aFolder(), 'passwords') })
    expect(code).to.equal(1)
    expect(stderr).to.match(/refuses: user or password are wrong.* \(28P01\)\.\n$/)
  })

  it('is not taken from a file that other users may read, and its absence is told', async () => {
    const { code, stdout, stderr } = await asked({ PGPASSFILE: fileIn(aFolder(), 'passwords', 0o644) })
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' })
    expect(stderr).to.include('a password is taken from PGPASSWORD or ~/.pgpass')
    expect(stderr).not.to.include(POSTGRES_PASSWORD)
  })
})
