/** The folder of a recording, and what is told of one that cannot be replayed. */
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { type Exchange, FORMAT } from '../../../server/recording/exchange.ts'
import { makeFolder, readFolder, writeExchange } from '../../../server/recording/folder.ts'
import { aFolder } from '../../support/a-folder.ts'
import { makePipe } from '../../support/a-pipe.ts'

const RECORDING = '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'
const HEALTH: Exchange = {
  format: FORMAT,
  recording: RECORDING,
  number: 1,
  operation: 'checkHealth',
  request: { method: 'GET', path: '/health-check', query: {} },
  answer: { status: 200, body: {} },
  withheld: 0,
}
const NAME = '000001-checkHealth.json'

describe('the folder of a recording', () => {
  let folder: string

  beforeEach(async () => {
    folder = join(aFolder(), 'deeper/recording')
    await makeFolder(folder, { format: FORMAT, recording: RECORDING, profile: defaultProfile })
  })

  const messageOf = (reading: Promise<unknown>) =>
    reading.then(
      () => 'read',
      ({ message }: Error) => message,
    )
  const change = (name: string, more: object) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }))
    return messageOf(readFolder(folder))
  }

  it('holds a file for each exchange, in order, for this user alone', async () => {
    await writeExchange(folder, { ...HEALTH, number: 2 })
    await writeExchange(folder, HEALTH)
    const { profile, exchanges } = await readFolder(folder)
    expect(profile).to.deep.equal(defaultProfile)
    expect(exchanges.map(({ number }) => number)).to.deep.equal([1, 2])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).to.equal(0)
    expect(statSync(folder).mode & 0o077).to.equal(0)
  })

  it('is new', async () => {
    const again = makeFolder(folder, { format: FORMAT, recording: RECORDING, profile: defaultProfile })
    expect(await messageOf(again)).to.match(/^The folder is not empty/)
  })

  it('that was passed on with a link or a pipe among its files is refused', async () => {
    await writeExchange(folder, HEALTH)
    const elsewhere = join(aFolder(), 'elsewhere.json')
    const [whole, call] = [join(folder, 'recording.json'), join(folder, NAME)]
    for (const file of [whole, call]) {
      const text = readFileSync(file)
      writeFileSync(elsewhere, text)
      rmSync(file)
      symlinkSync(elsewhere, file)
      expect(await messageOf(readFolder(folder))).to.contain('is damaged')
      rmSync(file)
      makePipe(file)
      expect(await messageOf(readFolder(folder))).to.contain('is damaged')
      rmSync(file)
      writeFileSync(file, text)
    }
    expect(await messageOf(readFolder(folder))).to.equal('read')
  })

  it('that is none, or holds no call, is refused', async () => {
    expect(await messageOf(readFolder(join(folder, 'none')))).to.equal('The folder cannot be read (ENOENT).')
    expect(await messageOf(readFolder(aFolder()))).to.match(/^This is no recording: recording.json is missing/)
    expect(await messageOf(readFolder(folder))).to.match(/^The recording holds no call/)
  })

  it('that is damaged, mixed or of another version is refused, with the name of the file', async () => {
    await writeExchange(folder, HEALTH)
    expect(await change(NAME, { answer: { status: 99 } })).to.match(/^000001-checkHealth.json is damaged/)
    expect(await change(NAME, { ...HEALTH, recording: RECORDING.replace('6', '7') })).to.match(
      /belongs to another recording/,
    )
    expect(await change(NAME, { ...HEALTH, format: 2 })).to.match(/has format 2, and this version reads format 1/)
    expect(await change('recording.json', { profile: { tokenprefix: 'X' } })).to.match(/^recording.json is damaged/)
    writeFileSync(join(folder, NAME), '{')
    expect(await change('recording.json', { profile: {} })).to.match(/^000001-checkHealth.json is damaged/)
  })
})
