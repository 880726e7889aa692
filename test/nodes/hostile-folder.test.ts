/** What a stranger may leave in a folder of documents, and swap while files are moved: nothing outside is read, moved or written. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { withFolder, withFolderIn } from '../../nodes/shared/files/checked-folder.ts'
import { type ClaimStore, openClaimStore } from '../../nodes/shared/files/claim-store.ts'
import { type DropFolder, openDropFolder } from '../../nodes/shared/files/drop-folder.ts'
import { pairsOf } from '../../nodes/shared/files/pairs.ts'
import { refusalsInWords } from '../../nodes/shared/files/refusals-in-words.ts'
import { aFolder } from '../support/a-folder.ts'
import { makeDevice, makePipe } from '../support/a-pipe.ts'
import { isRoot } from '../support/hostile/by-another.ts'

const SECRET = 'of Node-RED alone'
const MANY = 1_000_000

describe('a folder of documents that a stranger writes into', () => {
  let folder: string
  let outside: string
  let stateFolder: string
  let secret: string
  let store: ClaimStore
  let dropped: DropFolder

  beforeEach(() => {
    folder = aFolder()
    outside = aFolder()
    stateFolder = join(outside, 'countersign')
    mkdirSync(stateFolder)
    secret = join(outside, 'secret.json')
    writeFileSync(secret, SECRET)
    const seal = createSeal('a secret of this test')
    store = openClaimStore({ where: join(stateFolder, 'files.sqlite'), nodeId: 'files', folder, seal, run: 'now' })
    dropped = openDropFolder({ folder, stateFolder, store })
  })
  afterEach(() => {
    store.close(false)
    expect(readFileSync(secret, 'utf8')).to.equal(SECRET)
    expect(readdirSync(outside).toSorted()).to.deep.equal(['countersign', 'secret.json'])
  })

  const at = (...names: string[]) => join(folder, ...names)
  const drop = (name: string, text = name) => writeFileSync(at(name), text)
  const lookAtOne = async () => {
    const { files } = await dropped.look()
    return pairsOf(files)[0]!
  }
  const claimed = async () => {
    const claim = await dropped.claim(await lookAtOne(), 1)
    return claim!
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing was refused',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    )

  it('is not read through links, hard links, pipes, sockets, folders and names that are no text', async () => {
    symlinkSync(secret, at('link.pdf'))
    symlinkSync(join(outside, 'missing'), at('dangling.json'))
    linkSync(secret, at('hard.json'))
    makePipe(at('pipe.pdf'))
    mkdirSync(at('folder.pdf'))
    const socket = createServer()
    await new Promise<void>((resolve) => socket.listen(at('socket.pdf'), resolve))
    drop('line\nbreak.pdf')
    drop('back\\..\\slash.json')
    writeFileSync(Buffer.concat([Buffer.from(at('latin')), Buffer.from([0xe9]), Buffer.from('.pdf')]), '')
    drop(`${'ä'.repeat(125)}.pdf`)
    const { files, refused, foreign } = await dropped.look()
    await new Promise((resolve) => socket.close(resolve))
    expect(files.map(({ name }) => name)).to.deep.equal([`${'ä'.repeat(125)}.pdf`])
    expect(Object.fromEntries(refused)).to.deep.equal({ link: 2, hardLink: 1, special: 3, name: 3 })
    expect(foreign).to.equal(0)
    const words = refusalsInWords(refused)
    expect(words).to.contain('Links: 2.')
    for (const name of ['link.pdf', 'hard.json', 'break', 'slash.json', 'secret']) expect(words).to.not.contain(name)
    // Looking has opened no pipe, which would wait for a writer, and has left everything where it was; the socket is gone with its server.
    expect(readdirSync(folder)).to.have.length(9)
  })

  it('is not read without end: of more than 10,000 documents, complete pairs alone are taken up, and the others are counted', async () => {
    const junk = Array.from({ length: 10_100 }, (_, number) => `${'x'.repeat(100)}${number}.pdf`)
    for (const name of junk) drop(name, '')
    drop('order.pdf')
    drop('order.json')
    const { files, refused } = await dropped.look()
    expect(Object.fromEntries(refused)).to.deep.equal({ many: 102 })
    expect(refusalsInWords(refused)).to.contain('at one time: 102 or more.').and.not.contain('xxx')
    // In which order a folder is read is that of the file system.
    expect(files.map(({ name }) => name).toSorted()).to.be.deep.oneOf([[], ['order.json', 'order.pdf']])
    for (const name of junk.slice(100)) rmSync(at(name))
    const afterwards = await dropped.look()
    expect(afterwards.files).to.have.length(102)
    expect(afterwards.refused.size).to.equal(0)
  }).timeout(60_000)

  /** Each name, and how the entry under it is told: a file, a refusal, or nothing. */
  const NAMES: Readonly<Record<string, 'file' | 'name' | 'nothing'>> = {
    'order.pdf': 'file',
    'ORDER.PDF': 'file',
    'constructor.json': 'file',
    '__proto__.pdf': 'file',
    '1.pdf': 'file',
    'processing.pdf': 'file',
    'a..pdf': 'file',
    'a%2f..%2fb.pdf': 'file',
    '$(id).pdf': 'file',
    '-rf.pdf': 'file',
    "a'; DROP TABLE claim; --.pdf": 'file',
    'right\u202efdp.json': 'file',
    'zero\u200bwidth.pdf': 'file',
    [`${'x'.repeat(251)}.pdf`]: 'file',
    'new\nline.pdf': 'name',
    'return\r.json': 'name',
    'tab\t.csv': 'name',
    'escape\u001b[2J.pdf': 'name',
    'delete\u007f.pdf': 'name',
    'next\u0085line.pdf': 'name',
    'line\u2028separator.pdf': 'name',
    'paragraph\u2029separator.pdf': 'name',
    'replaced\ufffd.pdf': 'name',
    'back\\slash.pdf': 'name',
    '.pdf': 'nothing',
    '..pdf': 'nothing',
    '.hidden.pdf': 'nothing',
    '~order.pdf': 'nothing',
    'order.pdf.tmp': 'nothing',
    'order.pdf ': 'nothing',
    'order.pdf.': 'nothing',
    'order\u2024pdf': 'nothing',
    pdf: 'nothing',
  }
  for (const [name, told] of Object.entries(NAMES))
    it(`tells ${JSON.stringify(name.slice(0, 40))} as ${told}, and nothing of it leads out of the folder`, async () => {
      drop(name, 'a document')
      const { files, refused } = await dropped.look()
      expect(files.map((file) => file.name)).to.deep.equal(told === 'file' ? [name] : [])
      expect(Object.fromEntries(refused)).to.deep.equal(told === 'name' ? { name: 1 } : {})
      if (told !== 'file') return
      const claim = await claimed()
      expect(String(await dropped.read(claim, claim.pdf ?? claim.index!, MANY))).to.equal('a document')
      await dropped.finish(claim, 'error', ['a reason'])
      expect(readdirSync(folder).toSorted()).to.deep.equal(['error', 'processing'])
      expect(readdirSync(at('error'))).to.have.length(2)
      expect(readdirSync(at('processing'))).to.deep.equal([])
    })

  if (isRoot)
    it('is not read through a device', async () => {
      makeDevice(at('device.pdf'))
      symlinkSync('/dev/zero', at('zero.json'))
      const { files, refused } = await dropped.look()
      expect(files).to.deep.equal([])
      expect(Object.fromEntries(refused)).to.deep.equal({ special: 1, link: 1 })
    })

  it('has twins that differ in case or in how an accent is written: none of them is taken for another', async () => {
    for (const name of ['Ordér.pdf', 'ORDE\u0301R.PDF', 'ordér.json', 'Other.pdf', 'other.json']) drop(name)
    const pairs = pairsOf((await dropped.look()).files)
    const namesOf = ({ pdf, index, others }: (typeof pairs)[number]) => ({
      pdf: pdf?.name.toLowerCase().normalize('NFC'),
      index: index?.name,
      others: others.map(({ name }) => name.toLowerCase().normalize('NFC')),
    })
    expect(pairs.map(namesOf)).to.have.deep.members([
      { pdf: 'ordér.pdf', index: 'ordér.json', others: ['ordér.pdf'] },
      { pdf: 'other.pdf', index: 'other.json', others: [] },
    ])
  })

  it('is read past what is not a document, up to a number', async () => {
    for (let number = 0; number < 10_100; number += 1) drop(`${number}.txt`, '')
    drop('order.pdf')
    const { files, refused } = await dropped.look()
    expect(files.map(({ name }) => name)).to.deep.equal(['order.pdf'])
    expect(refused.size).to.equal(0)
  }).timeout(60_000)

  for (const name of ['processing', 'done', 'error'])
    it(`is not used while ${name} is a link or a file`, async () => {
      drop('a.pdf')
      symlinkSync(outside, at(name))
      expect(await refusal(dropped.look())).to.match(new RegExp(`^FOLDER_REFUSED: The work folder "${name}" is a link`))
      rmSync(at(name))
      drop(name)
      expect(await refusal(dropped.look())).to.contain(`"${name}" is not a folder`)
      rmSync(at(name))
      expect((await dropped.look()).files).to.have.length(1)
    })

  for (const name of ['done', 'error'] as const)
    it(`moves nothing through a link that takes the place of ${name} while a document is under way`, async () => {
      drop('a.pdf')
      const claim = await claimed()
      symlinkSync(outside, at(name))
      const reasons = name === 'error' ? ['a reason'] : []
      expect(await refusal(dropped.finish(claim, name, reasons))).to.contain(`"${name}" is a link`)
      rmSync(at(name))
      await dropped.finish(claim, name, reasons)
      expect(readdirSync(at(name))).to.include('a.pdf')
      expect(readdirSync(at('processing'))).to.deep.equal([])
    })

  it('moves nothing through a link that takes the place of processing while a document is under way', async () => {
    drop('a.pdf')
    const claim = await claimed()
    renameSync(at('processing'), at('.away'))
    expect(await refusal(dropped.look())).to.match(/^FOLDER_AWAY: The folder "processing" is missing/)
    symlinkSync(outside, at('processing'))
    expect(await refusal(dropped.read(claim, claim.pdf!, MANY))).to.contain('"processing" is a link')
    expect(await refusal(dropped.finish(claim, 'done'))).to.contain('"processing" is a link')
    expect(await refusal(dropped.recover())).to.contain('"processing" is a link')
    rmSync(at('processing'))
    renameSync(at('.away'), at('processing'))
    await dropped.finish(claim, 'done')
    expect(readdirSync(at('done'))).to.deep.equal(['a.pdf'])
  })

  it('believes no claims and outcomes that lie in processing, loses nothing of them, and says that they are foreign', async () => {
    const up = relative(folder, secret)
    for (const id of ['1', '2', '..', 'x y'].filter((one) => one !== '..'))
      mkdirSync(at('processing', id), { recursive: true })
    writeFileSync(at('processing/1/.claim.json'), JSON.stringify({ id: 1, pdf: up, index: null, others: [], size: 1 }))
    writeFileSync(
      at('processing/2/.claim.json'),
      JSON.stringify({ id: 2, pdf: 'a.pdf', index: null, others: [], size: 1 }),
    )
    writeFileSync(at('processing/2/.outcome.json'), JSON.stringify({ outcome: 'done', suffix: '/../..', reasons: [] }))
    writeFileSync(at('processing/2/a.pdf'), 'a')
    expect(await dropped.recover()).to.deep.equal([])
    expect((await dropped.look()).foreign).to.equal(3)
    expect(readdirSync(folder)).to.deep.equal(['processing'])
    expect(readdirSync(at('processing/2')).toSorted()).to.deep.equal(['.claim.json', '.outcome.json', 'a.pdf'])
    // A number that a foreign folder has is not used.
    drop('b.pdf')
    expect((await claimed()).id).to.equal(3)
  })

  it('closes processing to others, and keeps what it says of itself in no folder that others reach', async () => {
    mkdirSync(at('processing'), { mode: 0o777 })
    drop('Doe-Jane.pdf')
    const { id } = await claimed()
    expect(statSync(at('processing')).mode & 0o777).to.equal(0o700)
    expect(readdirSync(at('processing', String(id)))).to.deep.equal(['Doe-Jane.pdf'])
    const stored = readdirSync(stateFolder).map((name) => readFileSync(join(stateFolder, name), 'latin1'))
    expect(stored.join('')).to.not.contain('Doe-Jane')
    expect(statSync(join(stateFolder, 'files.sqlite')).mode & 0o777).to.equal(0o600)
  })

  describe('and swaps a file', () => {
    it('between the look and the taking up', async () => {
      drop('a.pdf')
      const pair = await lookAtOne()
      const { mtimeMs } = statSync(at('a.pdf'))
      expect(mtimeMs).to.be.greaterThan(0)
      for (const swap of [
        () => symlinkSync(secret, at('a.pdf')),
        () => linkSync(secret, at('a.pdf')),
        () => mkdirSync(at('a.pdf')),
        () => drop('a.pdf', 'b.pdf'),
        () => {},
      ]) {
        rmSync(at('a.pdf'), { recursive: true, force: true })
        swap()
        expect(await dropped.claim(pair, 1)).to.equal(null)
      }
      expect(store.ids()).to.deep.equal([])
    })

    it('after the taking up: it is not read, and what is no plain file stays where it lies', async () => {
      for (const [swap, isFile] of [
        [(path: string) => symlinkSync(secret, path), false],
        [(path: string) => makePipe(path), false],
        [(path: string) => mkdirSync(path), false],
        [(path: string) => writeFileSync(path, 'other'), true],
        [(path: string) => linkSync(secret, path), true],
      ] as const) {
        drop('a.pdf')
        const claim = await claimed()
        const path = at('processing', String(claim.id), 'a.pdf')
        rmSync(path)
        swap(path)
        expect(
          await refusal(dropped.read(claim, claim.pdf!, MANY).then((read) => expect(read).to.equal('replaced'))),
        ).to.equal('nothing was refused')
        await dropped.finish(claim, 'error', ['a reason'])
        expect(existsSync(path)).to.equal(!isFile)
        expect(store.ids()).to.deep.equal([])
      }
      expect((await dropped.look()).foreign).to.equal(3)
    })

    it('or lets it grow, beyond the limit or within', async () => {
      drop('a.pdf')
      const claim = await claimed()
      expect(await dropped.read(claim, claim.pdf!, 4)).to.equal('large')
      expect(String(await dropped.read(claim, claim.pdf!, 5))).to.equal('a.pdf')
      appendFileSync(at('processing', String(claim.id), 'a.pdf'), 'more')
      expect(await dropped.read(claim, claim.pdf!, MANY)).to.equal('replaced')
    })
  })

  it('is left at once, when a folder is replaced by a link after it was checked', async () => {
    // Elsewhere a folder has no path that follows it; there the replacement is found out afterwards.
    const isLinux = process.platform === 'linux'
    mkdirSync(at('processing'))
    const work = withFolder(folder, (parent) =>
      withFolderIn(parent, { name: 'processing' }, async (processing) => {
        renameSync(at('processing'), at('moved'))
        symlinkSync(outside, at('processing'))
        await processing.at('x.pdf', (path) => writeFile(path, ''))
      }),
    )
    expect(await refusal(work)).to.match(isLinux ? /^nothing/ : /^FOLDER_REFUSED/)
    expect(readdirSync(at('moved'))).to.deep.equal(isLinux ? ['x.pdf'] : [])
  })

  it('replaces no file in done and error, and cuts names that are too long for a number', async () => {
    const long = `${'x'.repeat(251)}.pdf`
    for (const time of [1, 2, 3]) {
      drop(long, String(time))
      const claim = await claimed()
      if (time === 3) mkdirSync(at('error', 'planted.reason.json'))
      await dropped.finish(claim, 'error', ['a reason'])
    }
    const ended = readdirSync(at('error'))
    const contents = ended
      .filter((name) => name.endsWith('.pdf'))
      .map((name) => readFileSync(at('error', name), 'utf8'))
    expect(contents.toSorted()).to.deep.equal(['1', '2', '3'])
    expect(ended.filter((name) => name.endsWith('.reason.json'))).to.have.length(4)
  })

  it('cannot have the node write through links that wait under the names of its notes', async () => {
    drop('a.pdf')
    const claim = await claimed()
    mkdirSync(at('error'))
    for (const name of ['.countersign.reason.json.tmp', 'a.reason.json', 'a.pdf'])
      symlinkSync(secret, at('error', name))
    await dropped.finish(claim, 'error', ['a reason'])
    expect(readFileSync(at('error/a (2).pdf'), 'utf8')).to.equal('a.pdf')
    expect(readFileSync(at('error/a (2).reason.json'), 'utf8')).to.contain('a reason')
  })

  it('is not the user directory of Node-RED, nor the folder of the nodes', async () => {
    for (const own of [outside, stateFolder]) {
      const other = openDropFolder({ folder: own, stateFolder, store })
      expect(await refusal(other.look())).to.match(/^FOLDER_REFUSED: The folder is that of Node-RED itself/)
    }
  })

  it('gives a document to one of two looks at once', async () => {
    drop('a.pdf')
    drop('a.json')
    const pair = await lookAtOne()
    const claims = await Promise.all([dropped.claim(pair, 1), dropped.claim(pair, 1)])
    const [claim, ...more] = claims.filter((one) => one !== null)
    expect(more).to.deep.equal([])
    expect(String(await dropped.read(claim!, claim!.pdf!, MANY))).to.equal('a.pdf')
    expect(String(await dropped.read(claim!, claim!.index!, MANY))).to.equal('a.json')
  })
})
