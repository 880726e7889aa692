/** Documents in a folder: taken up when they are whole, and moved to their end once, whatever interrupts it. Real files. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { DroppedFiles } from '../../lib/mapping/map-files.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { type Ending, openClaimStore } from '../../nodes/shared/files/claim-store.ts'
import {
  type FolderIntake,
  type FolderIntakeOptions,
  openFolderIntake,
} from '../../nodes/shared/files/folder-intake.ts'
import { taken } from '../../nodes/shared/intake/taken.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { FakeClock } from '../support/fake-clock.ts'

const SECOND = 1000
const seal = createSeal('a secret of this test')
const MINUTE = 60 * SECOND

describe('a folder of documents', () => {
  let clock: FakeClock
  let folder: string
  let stateFolder: string
  let sent: (Message & { text: string })[]
  let failures: string[]
  let looks: number
  let poll: number
  let held: readonly string[]
  const opened: FolderIntake[] = []

  beforeEach(() => {
    clock = new FakeClock()
    folder = aFolder()
    stateFolder = aFolder()
    sent = []
    failures = []
    looks = 0
    held = []
  })
  afterEach(() => Promise.all(opened.splice(0).map((intake) => intake.close(false))))

  function open(more: Partial<FolderIntakeOptions> = {}): FolderIntake {
    poll = more.pollMs ?? SECOND
    const intake = openFolderIntake({
      folder,
      where: join(stateFolder, 'files-files.sqlite'),
      stateFolder,
      seal,
      run: 'now',
      nodeId: 'files',
      clock,
      pollMs: poll,
      stableMs: 5 * SECOND,
      pairingMs: 10 * MINUTE,
      repeatMs: 10 * MINUTE,
      maxBytes: 1000,
      emit: async (files: DroppedFiles, properties) => {
        sent.push({ ...properties, text: `${files.kind} ${files.index} ${files.pdf}` })
        return held
      },
      onLook: () => void looks++,
      onError: (failure) => void failures.push((failure as { code: string }).code),
      ...more,
    })
    opened.push(intake)
    return intake
  }
  const drop = (name: string, text = name) => writeFileSync(join(folder, name), text)
  const lookedAgain = async (more = 1) => {
    const before = looks
    await eventually(() => expect(looks).to.be.at.least(before + more))
  }
  /** Lets the time go on by looks. */
  const goOn = async (ms: number) => {
    for (let left = ms; left > 0; left -= poll) {
      // A look that fails in several steps is over only when the next one is due.
      await eventually(() => expect(clock.next).to.be.at.most(clock.now() + poll))
      const before = looks + failures.length
      clock.advance(poll)
      await eventually(() => expect(looks + failures.length).to.be.greaterThan(before))
    }
  }
  const lies = (place: string) => readdirSync(join(folder, place)).toSorted()
  const isDone = (...names: string[]) => eventually(() => expect(lies('done')).to.deep.equal(names.toSorted()))
  const isEmpty = () => eventually(() => expect(lies('processing')).to.deep.equal([]))

  it('are taken up when they have not changed for a while, the index by its name', async () => {
    open()
    drop('Ördér 7.PDF', 'pdf')
    await goOn(3 * SECOND)
    drop('o\u0308rde\u0301r 7.json', '{}')
    await goOn(4 * SECOND)
    expect(sent).to.deep.equal([])
    drop('o\u0308rde\u0301r 7.json', '{"a":1}')
    await goOn(6 * SECOND)
    await eventually(() => expect(sent).to.have.length(1))
    expect(sent[0]).to.deep.include({ filename: 'Ördér 7.PDF', text: 'json {"a":1} pdf' })
    taken(sent[0]!)
    await isDone('Ördér 7.PDF', 'o\u0308rde\u0301r 7.json')
    await isEmpty()
  })

  it('are moved by no process whose turn has ended: it finishes when the turn is its own again', async () => {
    let isOurs = true
    let asked = 0
    const dropPair = (name: string) => {
      for (const end of ['pdf', 'json']) drop(`${name}.${end}`)
    }
    dropPair('order')
    open({
      isOurs: () => {
        asked += 1
        return isOurs
      },
      stableMs: 0,
      pollMs: MINUTE,
    })
    await eventually(() => expect(sent).to.have.length(1))
    isOurs = false
    taken(sent[0]!)
    dropPair('another')
    // Each step asks once the one before it has ended.
    const askedBefore = asked
    await eventually(() => {
      clock.advance(MINUTE)
      expect(asked).to.be.at.least(askedBefore + 6)
    })
    expect(lies('processing'), 'the folder of the one under way').to.have.length(1)
    expect(lies('.')).to.include.members(['another.json', 'another.pdf'])
    expect(sent).to.have.length(1)
    isOurs = true
    await goOn(2 * MINUTE)
    await isDone('order.json', 'order.pdf')
    await eventually(() => expect(sent.map(({ filename }) => filename)).to.deep.equal(['order.pdf', 'another.pdf']))
    expect(failures).to.deep.equal([])
  })

  it('wait in the folder while as many are under way as may be', async () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => [`${name}.json`, `${name}.pdf`])
    for (const name of names.flat()) drop(name)
    open({ mostOpen: 2, stableMs: 0 })
    await goOn(2 * SECOND)
    await eventually(() => expect(sent).to.have.length(2))
    expect(lies('processing')).to.have.length(2)
    expect(lies('.').filter((name) => name.includes('.'))).to.have.length(4)
    for (const message of sent.slice(0, 2)) taken(message)
    await eventually(() => expect(lies('done')).to.have.length(4))
    await goOn(2 * SECOND)
    await eventually(() => expect(sent).to.have.length(4))
    for (const message of sent.slice(2)) taken(message)
    await isDone(...names.flat())
  })

  it('leave alone what programs have not finished, and folders', async () => {
    open({ pollMs: MINUTE })
    for (const name of ['.order.pdf', '~order.pdf', 'order.pdf.tmp', 'order.part', 'notes.txt']) drop(name)
    mkdirSync(join(folder, 'order.pdf'))
    await goOn(20 * MINUTE)
    expect(lies('.')).to.have.length(6)
    expect(sent).to.deep.equal([])
  })

  it('go to the folder of errors with the reasons when they cannot be used, or fail for good', async () => {
    held = ['documentType: has no document type code']
    const intake = open({ stableMs: 0 })
    drop('a.json', '{}')
    drop('a.pdf')
    await goOn(2 * SECOND)
    await eventually(() => expect(lies('error')).to.deep.equal(['a.json', 'a.pdf', 'a.reason.json']))
    expect(JSON.parse(readFileSync(join(folder, 'error/a.reason.json'), 'utf8'))).to.deep.equal({ reasons: held })
    held = []
    drop('a.json', '{}')
    drop('a.pdf')
    await goOn(2 * SECOND)
    await eventually(() => expect(sent).to.have.length(2))
    intake.failed(Number(String(sent[1]!.intake).split('/')[1]), ['effectiveDate: too old'])
    await eventually(() => expect(lies('error')).to.include.members(['a (2).json', 'a (2).pdf', 'a (2).reason.json']))
    await isEmpty()
  })

  it('wait for each other for a while, and no longer', async () => {
    open({ pollMs: MINUTE })
    drop('alone.pdf')
    drop('retract.json', '{}')
    drop('twice.json')
    drop('twice.csv')
    drop('twice.pdf')
    await goOn(9 * MINUTE)
    expect(sent).to.deep.equal([])
    await goOn(2 * MINUTE)
    await eventually(() => expect(sent).to.have.length(1))
    expect(sent[0]).to.include({ filename: 'retract.json', text: 'json {} null' })
    const reasons = await eventually(() =>
      ['alone', 'twice'].map((name) => readFileSync(join(folder, `error/${name}.reason.json`), 'utf8')),
    )
    expect(reasons[0]).to.contain('index: none came with the PDF')
    expect(reasons[1]).to.contain('index: it is one of several files')
  })

  it('are not read when they are too large', async () => {
    open({ stableMs: 0 })
    drop('large.pdf', 'x'.repeat(1001))
    drop('large.json')
    await goOn(2 * SECOND)
    await eventually(() => expect(lies('error')).to.include('large.reason.json'))
    expect(sent).to.deep.equal([])
  })

  it('come in the order in which they were written, and again when nobody takes them', async () => {
    for (const [at, name] of ['c', 'a', 'b'].entries())
      for (const end of ['pdf', 'json']) {
        drop(`${name}.${end}`)
        utimesSync(join(folder, `${name}.${end}`), at, at)
      }
    open({ stableMs: 0, pollMs: MINUTE })
    const names = () => sent.map(({ filename }) => filename)
    await eventually(() => expect(names()).to.deep.equal(['c.pdf', 'a.pdf', 'b.pdf']))
    taken(sent[1]!)
    await isDone('a.json', 'a.pdf')
    await goOn(11 * MINUTE)
    await eventually(() => expect(names().slice(3)).to.deep.equal(['c.pdf', 'b.pdf']))
    expect(sent[3]!.intake).to.equal(sent[0]!.intake)
  })

  it('are not sent again when they were taken while the node was closed', async () => {
    drop('a.pdf')
    drop('a.json')
    open({ stableMs: 0 })
    await eventually(() => expect(sent).to.have.length(1))
    await Promise.all(opened.splice(0).map((intake) => intake.close(false)))
    taken(sent[0]!)
    open({ stableMs: 0 })
    await isDone('a.json', 'a.pdf')
    await isEmpty()
    expect(sent).to.have.length(1)
  })

  it('wait while the folder is away, which is not made anew, and go on when it is back', async () => {
    drop('a.pdf')
    drop('a.json')
    open({ stableMs: 0 })
    await eventually(() => expect(sent).to.have.length(1))
    renameSync(folder, `${folder}-away`)
    taken(sent[0]!)
    await eventually(() => expect(failures).to.include('FOLDER_AWAY'))
    await goOn(3 * SECOND)
    expect(() => readdirSync(folder)).to.throw('ENOENT')
    renameSync(`${folder}-away`, folder)
    await goOn(2 * SECOND)
    await isDone('a.json', 'a.pdf')
  })

  it('are told by name when one was removed from the folder of those under way', async () => {
    let tries = 0
    drop('a.pdf')
    drop('a.json')
    open({
      stableMs: 0,
      emit: async () => {
        tries += 1
        rmSync(join(folder, 'processing', lies('processing')[0]!, 'a.pdf'))
        throw new Error('The map cannot be evaluated.')
      },
    })
    await eventually(() => expect(tries).to.equal(1))
    await goOn(2 * SECOND)
    await eventually(() => expect(lies('error')).to.deep.equal(['a.json', 'a.reason.json']))
  })

  describe('that an interruption has left', () => {
    const ID = 1700000000000000
    const WRITTEN_AT = 1_690_000_000_000
    const PLACE = `processing/${ID}`
    const ENDING: Ending = { outcome: 'done', suffix: '', reasons: [] }
    /** Lays files as they were written when they were seen, and what the store says of them. */
    const leave = (files: Record<string, string>, { ending }: { ending?: Ending } = {}) => {
      for (const place of ['done', 'error', PLACE]) mkdirSync(join(folder, place), { recursive: true })
      for (const [name, text] of Object.entries(files)) {
        drop(name, text)
        utimesSync(join(folder, name), WRITTEN_AT / 1000, WRITTEN_AT / 1000)
      }
      const store = aStore()
      const [pdf, index] = ['a.pdf', 'a.json'].map((name) => ({ name, size: 5, writtenAt: WRITTEN_AT }))
      store.add({ id: ID, pdf: pdf!, index: index!, others: [] })
      if (ending) store.end(ID, ending)
      store.close(false)
    }
    const aStore = (run = 'earlier') =>
      openClaimStore({ where: join(stateFolder, 'files-files.sqlite'), nodeId: 'files', folder, seal, run })
    const steps: [when: string, files: string[], ending?: Ending][] = [
      ['before the first move', ['a.pdf', 'a.json']],
      ['between the moves', ['a.json', `${PLACE}/a.pdf`]],
      ['after the moves', [`${PLACE}/a.pdf`, `${PLACE}/a.json`]],
      ['before its end', [`${PLACE}/a.pdf`, `${PLACE}/a.json`], ENDING],
      ['between the moves of its end', ['done/a.pdf', `${PLACE}/a.json`], ENDING],
      ['after its end', ['done/a.pdf', 'done/a.json'], ENDING],
    ]
    for (const [when, files, ending] of steps)
      it(`${when} come to their end once`, async () => {
        leave(Object.fromEntries(files.map((file) => [file, 'first'])), { ...(ending && { ending }) })
        open({ stableMs: 0 })
        await lookedAgain()
        await goOn(2 * SECOND)
        if (!ending) await eventually(() => expect(sent).to.have.length(1))
        for (const message of sent) taken(message)
        await isDone('a.json', 'a.pdf')
        await isEmpty()
        expect(sent).to.have.length(ending ? 0 : 1)
        expect(lies('.')).to.deep.equal(['done', 'error', 'processing'])
      })

    it('before its folder was made come to their end once', async () => {
      leave({ 'a.pdf': 'first', 'a.json': 'first' })
      rmSync(join(folder, PLACE), { recursive: true })
      open({ stableMs: 0 })
      await eventually(() => expect(sent.map(({ text }) => text)).to.deep.equal(['json first first']))
      taken(sent[0]!)
      await isDone('a.json', 'a.pdf')
      await isEmpty()
    })

    it('after their folder was removed are forgotten', async () => {
      leave({ 'done/a.pdf': 'first', 'done/a.json': 'first' }, { ending: ENDING })
      rmSync(join(folder, PLACE), { recursive: true })
      open({ stableMs: 0 })
      await lookedAgain()
      await goOn(SECOND)
      expect(lies('done')).to.deep.equal(['a.json', 'a.pdf'])
      expect(lies('error')).to.deep.equal([])
      expect(sent).to.deep.equal([])
    })

    it('are listed as errors when their files are gone', async () => {
      leave({})
      open({ stableMs: 0 })
      await eventually(() => expect(lies('error')).to.deep.equal(['a.reason.json']))
      expect(readFileSync(join(folder, 'error/a.reason.json'), 'utf8')).to.contain('removed from the folder processing')
      await isEmpty()
      expect(sent).to.deep.equal([])
    })

    it('wait for the folder processing, as while a drive is not connected', async () => {
      leave({ [`${PLACE}/a.pdf`]: 'first', [`${PLACE}/a.json`]: 'first' })
      renameSync(join(folder, 'processing'), `${folder}-processing`)
      open({ stableMs: 0 })
      await eventually(() => expect(failures).to.include('FOLDER_AWAY'))
      drop('b.json')
      drop('b.pdf')
      await goOn(3 * SECOND)
      expect(lies('.')).to.deep.equal(['b.json', 'b.pdf', 'done', 'error'])
      renameSync(`${folder}-processing`, join(folder, 'processing'))
      await goOn(2 * SECOND)
      await eventually(() => expect(sent.map(({ text }) => text)).to.include('json first first'))
    })

    it('are not mixed up with one that has come under their names since', async () => {
      leave({ [`${PLACE}/a.pdf`]: 'first', [`${PLACE}/a.json`]: 'first' })
      drop('a.pdf', 'second')
      drop('a.json', 'second')
      open({ stableMs: 0 })
      await goOn(2 * SECOND)
      await eventually(() =>
        expect(sent.map(({ text }) => text)).to.deep.equal(['json first first', 'json second second']),
      )
      for (const message of sent) taken(message)
      await isDone('a (2).json', 'a (2).pdf', 'a.json', 'a.pdf')
    })

    it('do not take in a file that was replaced before the first move', async () => {
      leave({ 'a.pdf': 'first', 'a.json': 'first' })
      drop('a.json', 'later')
      open({ stableMs: 0 })
      await eventually(() => expect(lies('error')).to.deep.equal(['a.pdf', 'a.reason.json']))
      expect(readFileSync(join(folder, 'a.json'), 'utf8')).to.equal('later')
      expect(sent).to.deep.equal([])
    })

    it('are not read a third time when they have ended two processes', async () => {
      leave({ [`${PLACE}/a.pdf`]: 'first', [`${PLACE}/a.json`]: 'first' })
      for (const run of ['earlier', 'later']) {
        const store = aStore(run)
        store.begin(ID)
        store.close(false)
      }
      open({ stableMs: 0 })
      await eventually(() => expect(lies('error')).to.deep.equal(['a.json', 'a.pdf', 'a.reason.json']))
      expect(readFileSync(join(folder, 'error/a.reason.json'), 'utf8')).to.contain('Node-RED ended twice')
      expect(sent).to.deep.equal([])
      await isEmpty()
    })

    it('are read again when they have ended one process, or ended none', async () => {
      leave({ [`${PLACE}/a.pdf`]: 'first', [`${PLACE}/a.json`]: 'first' })
      for (const run of ['earlier', 'later', 'now']) {
        const store = aStore(run)
        store.begin(ID)
        // A deploy ends the node, and not the process.
        if (run === 'later') store.handled(ID)
        store.close(false)
      }
      open({ stableMs: 0 })
      await eventually(() => expect(sent).to.have.length(1))
    })
  })
})
