import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { putWhole } from '../../../server/store/folder/put-whole.ts'
import { SEALED } from '../../../server/store/rewrap.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { createOverheard } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'
import { aPlantedStore, KEY, PLANTED } from '../../support/store/a-planted-store.ts'

describe('what is kept at rest', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-rest-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('holds no patient, document, free text, sender id or secret in the clear, neither in the file nor in its log', async () => {
    const { store } = await aPlantedStore(folder, KEY)
    const files = readdirSync(folder)
    expect(files).to.include('countersign.sqlite').and.to.include('countersign.sqlite-wal')
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(folder, file))))
    expect(bytes.includes('Willow'), 'what is no secret is there to be found').to.equal(true)
    const encodings = (text: string) => [
      Buffer.from(text),
      Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1)),
      Buffer.from(Buffer.from(text).toString('hex')),
    ]
    for (const [name, text] of Object.entries(PLANTED))
      for (const encoded of encodings(text)) expect(bytes.includes(encoded), name).to.equal(false)
    await store.close()
  })

  it('knows every place where something sealed is kept', async () => {
    await (await openStore(folder, KEY)).close()
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    const blobs = database
      .prepare(`SELECT m.name || '.' || c.name AS place FROM sqlite_schema m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND lower(c.type) = 'blob' ORDER BY 1`)
      .all()
    database.close()
    const inSql = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
    const known = SEALED.map(({ table, column }) => `${inSql(table)}.${inSql(column)}`)
    expect(blobs.map(({ place }) => place)).to.deep.equal(known.sort())
  })

  it('does not open a value that was moved to another row', () => {
    const cipher = createCipher(KEY)
    const sealed = cipher.seal('secret', 'subscription/1/1')
    expect(cipher.open(sealed, 'subscription/1/1').toString()).to.equal('secret')
    expect(() => cipher.open(sealed, 'subscription/2/1')).to.throw()
    for (const index of [0, 5, 12, 40, 80, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => cipher.open(changed, 'subscription/1/1'), `byte ${index}`).to.throw()
    }
    expect(cipher.seal('secret', 'a').equals(cipher.seal('secret', 'a')), 'two seals of one value').to.equal(false)
  })

  it('makes its key file for a sandbox once, for its user alone', async () => {
    const start = () => createOverheard({ data: folder, sandbox: true, port: 0 })
    const service = await start()
    await service.start()
    await service.stop()
    const file = join(folder, 'master.key')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    const made = readFileSync(file, 'utf8')
    const again = await start()
    await again.start()
    await again.stop()
    expect(readFileSync(file, 'utf8')).to.equal(made)
  })

  it('writes its key file through no link that waits under the name of the unfinished one', () => {
    const elsewhere = join(aFolder(), 'elsewhere')
    symlinkSync(elsewhere, join(folder, `master.key.${process.pid}`))
    putWhole(join(folder, 'master.key'), 'a key')
    expect(existsSync(elsewhere)).to.equal(false)
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).to.equal('a key')
    expect(readdirSync(folder)).to.deep.equal(['master.key'])
  })

  it('does not begin without a key outside of a sandbox', async () => {
    const { code, stderr, stdout } = await countersign(['serve', '--port', '0', '--data', folder])
    expect(stderr).to.match(/Set COUNTERSIGN_MASTER_KEY to 32 random bytes/)
    expect(stdout).to.equal('')
    expect(code).to.equal(1)
    expect(readdirSync(folder)).to.deep.equal([])
    const short = await countersign(['serve', '--port', '0', '--data', folder], { COUNTERSIGN_MASTER_KEY: 'c2hvcnQ=' })
    expect(short.stderr)
      .to.match(/must hold 32 bytes/)
      .and.not.to.contain('c2hvcnQ=')
  })
})
