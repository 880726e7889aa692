/** Saving signed PDFs: whole or not at all, for their user alone, and never one over another. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { saveWhole } from '../../nodes/shared/document/save-whole.ts'
import { aFolder } from '../support/a-folder.ts'
import { makePipe } from '../support/a-pipe.ts'

const [ONE, OTHER] = [Buffer.from('%PDF-one'), Buffer.from('%PDF-other')]
const marked = (bytes: Buffer) => `order~${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.pdf`

describe('saving a signed PDF', () => {
  const save = (folder: string, bytes: Buffer, mode = 0o600) =>
    saveWhole(folder, 'order.pdf', bytes, { unique: `${Math.random()}`, mode })
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  it('writes it once, however often it is fetched', async () => {
    const folder = aFolder()
    for (let n = 0; n < 3; n++) expect(await save(folder, ONE)).to.equal(join(folder, 'order.pdf'))
    expect(readdirSync(folder)).to.deep.equal(['order.pdf'])
  })

  it('leaves another document of the same name alone', async () => {
    const folder = aFolder()
    await save(folder, ONE)
    for (let n = 0; n < 2; n++) expect(await save(folder, OTHER)).to.equal(join(folder, marked(OTHER)))
    expect(readdirSync(folder).sort()).to.deep.equal(['order.pdf', marked(OTHER)])
    expect(readFileSync(join(folder, 'order.pdf')).equals(ONE)).to.equal(true)
    expect(readFileSync(join(folder, marked(OTHER))).equals(OTHER)).to.equal(true)
  })

  it('loses none of many that come at once', async () => {
    const folder = aFolder()
    const all = Array.from({ length: 20 }, (_, n) => Buffer.from(`%PDF-${n % 10}`))
    const paths = await Promise.all(all.map((bytes) => save(folder, bytes)))
    for (const [n, path] of paths.entries()) expect(readFileSync(path).equals(all[n]!)).to.equal(true)
    expect(readdirSync(folder)).to.have.length(10)
  })

  it('is for its user alone, with the folders that are made for it', async () => {
    const folder = join(aFolder(), 'signed', 'today')
    const path = await save(folder, ONE)
    expect([modeOf(path), modeOf(folder), modeOf(join(folder, '..'))]).to.deep.equal(['600', '700', '700'])
  })

  for (const [mode, folderMode] of [
    [0o640, '750'],
    [0o660, '770'],
    [0o644, '755'],
  ] as const)
    it(`has the mode ${mode.toString(8)}, whatever the umask is, in folders that its readers can enter`, async () => {
      const there = aFolder()
      const umask = process.umask(0o077)
      try {
        const folder = join(there, 'signed', 'today')
        const path = await save(folder, ONE, mode)
        expect(modeOf(path)).to.equal(mode.toString(8))
        expect([modeOf(folder), modeOf(join(folder, '..'))]).to.deep.equal([folderMode, folderMode])
        expect(modeOf(there), 'a folder that was there is left as it is').to.equal('700')
      } finally {
        process.umask(umask)
      }
    })

  it('does not write through an existing link', async () => {
    const folder = aFolder()
    const elsewhere = join(aFolder(), 'elsewhere')
    symlinkSync(elsewhere, join(folder, 'order.pdf'))
    expect(await save(folder, ONE)).to.equal(join(folder, marked(ONE)))
    expect(existsSync(elsewhere)).to.equal(false)
    writeFileSync(elsewhere, ONE)
    expect(await save(folder, ONE)).to.equal(join(folder, marked(ONE)))
    writeFileSync(elsewhere, OTHER)
    expect(await save(folder, ONE)).to.equal(join(folder, marked(ONE)))
    expect(readFileSync(elsewhere).equals(OTHER)).to.equal(true)
  })

  it('waits for no pipe that has its name', async () => {
    const folder = aFolder()
    makePipe(join(folder, 'order.pdf'))
    expect(await save(folder, ONE)).to.equal(join(folder, marked(ONE)))
  })
})
