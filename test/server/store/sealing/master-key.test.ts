/** A master key that is missing, another one, or one that could not be written: each is told apart, and leaves nothing behind. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { masterKey, tellKeysApart } from '../../../../server/store/sealing/master-key.ts'
import { openStore } from '../../../../server/store/store.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { ran } from '../../../support/processes.ts'

const KEY = randomBytes(32)
const MODULE = join(import.meta.dirname, '../../../../server/store/sealing/master-key.ts')

const LIMIT = join(import.meta.dirname, '../../../support/store/limit-writes.ts')

describe('The master key', () => {
  let data: string
  beforeEach(() => {
    data = aFolder()
  })

  const makeStore = async () => (await openStore(data, KEY)).close()
  const message = (fromEnvironment: string | undefined, isSandbox: boolean) => {
    try {
      return masterKey(data, fromEnvironment, isSandbox).toString('hex')
    } catch (failure) {
      return (failure as Error).message
    }
  }

  it('is made once for a sandbox', () => {
    const made = message(undefined, true)
    expect(made).to.match(/^[0-9a-f]{64}$/)
    expect(message(undefined, true)).to.equal(made)
    expect(readdirSync(data)).to.deep.equal(['master.key'])
  })

  it('that is missing is asked for, and none is made beside what another one sealed', async () => {
    await makeStore()
    const before = readdirSync(data)
    const missing = `What is stored in ${data} was sealed with a master key that does not lie there. Set COUNTERSIGN_MASTER_KEY to it, or give --data another folder.`
    expect([message(undefined, true), message(undefined, false)]).to.deep.equal([missing, missing])
    expect(readdirSync(data)).to.deep.equal(before)
  })

  it('that is missing is asked for although an earlier version left another one beside the store', async () => {
    await makeStore()
    writeFileSync(join(data, 'master.key'), randomBytes(32).toString('base64'))
    expect(message(undefined, false)).to.equal(
      `Set COUNTERSIGN_MASTER_KEY to the master key of what is stored in ${data}, or start with --sandbox if that is a sandbox's.`,
    )
    const failure = await openStore(data, masterKey(data, undefined, true))
      .catch(tellKeysApart(data, undefined))
      .catch((reason: Error) => reason)
    expect(failure).to.have.property(
      'message',
      `${join(data, 'master.key')} is not the master key of what is stored there: set COUNTERSIGN_MASTER_KEY to the right one.`,
    )
  })

  it('that is another one is called so', async () => {
    await makeStore()
    const other = randomBytes(32)
    const failure = await openStore(data, other)
      .catch(tellKeysApart(data, other.toString('base64')))
      .catch((reason: Error) => reason)
    expect(failure)
      .to.have.property('message')
      .that.equals('The store was written with another master key. Give the service the key it was created with.')
  })

  it('that a full disk left empty is told from one that was lost', async () => {
    const file = join(data, 'master.key')
    writeFileSync(file, '')
    expect(message(undefined, true)).to.equal(`${file} is empty, as a full disk leaves it: remove it and start again.`)
    await makeStore()
    expect(message(undefined, true)).to.equal(
      `${file} is empty, and without the key that was in it nobody can read what is stored there: put it back, or restore a backup in another folder.`,
    )
    expect(message(KEY.toString('hex'), true)).to.equal(KEY.toString('hex'))
  })

  it('is made beside an empty database, which a full disk leaves', () => {
    writeFileSync(join(data, 'countersign.sqlite'), '')
    expect(message(undefined, true)).to.match(/^[0-9a-f]{64}$/)
  })

  // On Linux a process can be kept from writing files, as by a disk that is full.
  if (process.platform === 'linux')
    it('that cannot be written leaves nothing behind', async function () {
      this.timeout(20_000)
      const script = `
        import { limitWrites } from ${JSON.stringify(LIMIT)}
        import { masterKey } from ${JSON.stringify(MODULE)}
        limitWrites(process.pid, '0')
        try { masterKey(${JSON.stringify(data)}, undefined, true) } catch ({ message }) { console.log(message) }`
      const { stdout, stderr } = await ran(['--input-type=module', '--eval', script])
      expect(stderr).to.equal('')
      const file = join(data, 'master.key')
      expect(stdout).to.equal(
        `${file} could not be written (EFBIG). Make room on the disk, or give --data another folder.\n`,
      )
      expect(readdirSync(data)).to.deep.equal([])
      expect(message(undefined, true)).to.match(/^[0-9a-f]{64}$/)
      expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).to.have.length(32)
    })
})
