/** What lies in the data folder is for the user of the service alone, also in a folder that was made by hand. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { folderProblem, keepPrivate } from '../../../server/store/folder/private-folder.ts'
import { aFolder } from '../../support/a-folder.ts'
import { countersign, serve } from '../../support/service/served.ts'

const KEY = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

const OPEN_FOLDER = 0o40755
const SHARED_FOLDER = 0o41777

describe('the data folder', function () {
  this.timeout(40_000)

  it('is closed to others when it was made by hand, and so is all that the service puts into it', async () => {
    const data = aFolder()
    chmodSync(data, 0o755)
    const service = await serve(['--sandbox', '--seed', 'demo', '--data', data])
    try {
      expect(modeOf(data)).to.equal('700')
      expect(modesIn(data)).to.deep.equal({
        'countersign.sqlite': '600',
        'countersign.sqlite-shm': '600',
        'countersign.sqlite-wal': '600',
        'master.key': '600',
      })
      expect(service.log()).to.include(JSON.stringify({ paths: [data] }).slice(1, -1))
    } finally {
      await service.stop()
    }
  })

  it('is closed again when somebody opened it, which the log and the commands say', async () => {
    const data = aFolder()
    await (await serve(['--data', data], KEY)).stop()
    const file = join(data, 'countersign.sqlite')
    chmodSync(data, 0o750)
    chmodSync(file, 0o644)
    const service = await serve(['--data', data], KEY)
    try {
      expect([modeOf(data), modeOf(file)]).to.deep.equal(['700', '600'])
      expect(service.log()).to.include('other users could read these; now they cannot').and.to.include(file)
      chmodSync(file, 0o640)
      const { code, stderr } = await countersign(['organizations', 'list', '--data', data], KEY)
      expect([code, stderr]).to.deep.equal([0, `Other users could read ${file}; now they cannot.\n`])
      expect(modeOf(file)).to.equal('600')
    } finally {
      await service.stop()
    }
  })

  it('is not touched when it is in order, is not there yet, or is no folder', () => {
    const data = aFolder()
    expect(keepPrivate(data)).to.deep.equal([])
    expect(keepPrivate(join(data, 'none'))).to.deep.equal([])
    expect([keepPrivate(':memory:'), keepPrivate('postgres://127.0.0.1/none')]).to.deep.equal([[], []])
  })

  it('is only closed when it is ours and nobody else has anything in it', () => {
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 7 }, 7, [])).to.equal(null)
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 7 }, 7, ['lost+found'])).to.equal(null)
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 7 }, 7, ['notes', 'countersign.sqlite'])).to.equal(null)
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 7 }, 7, ['notes'])).to.match(/holds other things/)
    expect(folderProblem({ mode: SHARED_FOLDER, uid: 7 }, 7, ['countersign.sqlite'])).to.match(/holds other things/)
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 0 }, 7, [])).to.match(/belongs to another user/)
    expect(folderProblem({ mode: OPEN_FOLDER, uid: 7 }, 0, []), 'root does not take it away').not.to.equal(null)
  })
})
