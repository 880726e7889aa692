/** A database that somebody changed who can write to it and does not have the master key: what the service and the commands say. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { hashPassword } from '../../../server/people/password.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { countersign, type Served, serve } from '../../support/service/served.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const PASSWORD = 'correct horse battery staple'
const CHANGED = 'this row was changed in the database without the master key, and is refused'

describe('A database that was changed without the master key', function () {
  this.timeout(120_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())
  const running: Served[] = []
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill()
  })
  const started = async (data: string) => {
    const service = await serve(['--data', data], env)
    running.push(service)
    return service
  }

  for (const [name, place] of Object.entries({
    SQLite: async () => join(aFolder(), 'data'),
    PostgreSQL: () => postgres!.database(),
  }))
    it(`lets its added operator and its changed key in nowhere, and is named, in ${name}`, async () => {
      const data = await place()
      const run = async (sql: string) => {
        if (data.startsWith('postgres:')) return query(data, sql)
        const database = new DatabaseSync(join(data, 'countersign.sqlite'))
        const rows = database.prepare(sql).all()
        database.close()
        return rows
      }
      const who = ['--email', 'ops@example.org', '--name', 'Robin', '--role', 'operator']
      expect((await countersign(['people', 'create', ...who, '--data', data], env, `${PASSWORD}\n`)).code).to.equal(0)
      const issued = ['operator-keys', 'create', '--description', 'Scripts', '--data', data, '--json']
      const { stdout } = await countersign(issued, env)
      const { key } = JSON.parse(stdout) as { key: string }
      const verify = () => countersign(['audit', 'verify', '--data', data], env)
      expect((await verify()).code).to.equal(0)

      const first = await started(data)
      expect(await signIn(first, 'ops@example.org')).to.equal(200)
      expect(await withKey(first, key)).to.equal(200)
      expect(first.log()).not.to.include(CHANGED)
      // While the service runs, and before it starts again.
      const hash = (await hashPassword(PASSWORD)).replaceAll("'", "''")
      await run(
        `INSERT INTO person (email, name, role, password_hash, created_at, mac) SELECT 'mallory@example.com', 'Mallory', role, '${hash}', created_at, mac FROM person`,
      )
      await run("UPDATE operator_key SET mode = 'live', description = 'Mallory'")
      expect(await signIn(first, 'mallory@example.com')).to.equal(401)
      expect(await withKey(first, key)).to.be.oneOf([401, 403])
      expect(await signIn(first, 'ops@example.org')).to.equal(200)
      await eventually(() => expect(first.log()).to.include(CHANGED))
      const refusals = () => run("SELECT subject FROM audit WHERE action = 'row.refuse' ORDER BY subject")
      await eventually(async () =>
        expect((await refusals()).map(({ subject }) => String(subject).split(' ')[0])).to.deep.equal([
          'operatorKey',
          'person',
        ]),
      )
      expect(await first.stop()).to.equal(0)

      const again = await started(data)
      // What a process has written may arrive after the line that says where it listens.
      await eventually(() => expect(again.log()).to.include(CHANGED).and.to.include('"table":"person","id":"2"'))
      expect(again.log()).not.to.match(/mallory/i)
      expect(await signIn(again, 'mallory@example.com')).to.equal(401)
      expect(await again.stop()).to.equal(0)
      const { code, stderr } = await verify()
      expect(code).to.equal(1)
      expect(stderr)
        .to.include('person 2: was changed or added.')
        .and.to.match(/operatorKey \w+: was changed or added\./)
      expect(stderr).not.to.match(/mallory/i)
    })

  it('starts, and names the row, where another program has written a number that JavaScript cannot hold', async () => {
    const data = join(aFolder(), 'data')
    for (const name of ['ops', 'second']) {
      const who = ['--email', `${name}@example.org`, '--name', name, '--role', 'operator', '--data', data]
      expect((await countersign(['people', 'create', ...who], env, `${PASSWORD}\n`)).code).to.equal(0)
    }
    const database = new DatabaseSync(join(data, 'countersign.sqlite'), { enableForeignKeyConstraints: false })
    database.exec("UPDATE person SET organization_id = 9223372036854775807 WHERE name = 'second'")
    database.close()
    const service = await started(data)
    await eventually(() => expect(service.log()).to.include(CHANGED).and.to.include('"table":"person","id":"2"'))
    expect(await signIn(service, 'ops@example.org')).to.equal(200)
    expect(await signIn(service, 'second@example.org')).to.equal(401)
    expect(await service.stop()).to.equal(0)
    const { code, stderr } = await countersign(['audit', 'verify', '--data', data], env)
    expect([code, stderr.includes('person 2: was changed or added.')]).to.deep.equal([1, true])
  })
})

async function signIn({ baseUrl }: Served, email: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/account/api/session`, {
    method: 'POST',
    headers: { origin: baseUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  return answer.status
}

const withKey = async ({ baseUrl }: Served, key: string): Promise<number> =>
  (await fetch(`${baseUrl}/admin/v1/organizations`, { headers: { 'x-api-key': key } })).status
