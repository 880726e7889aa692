/** Documents in a folder: taken up when they are whole, and moved to their end once, whatever interrupts it. Real files. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { DroppedFiles } from '../../lib/mapping/map-files.ts'
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
const MINUTE = 60 * SECOND

describe('a folder of documents', () => {
  let clock: FakeClock
  let folder: string
  let sent: (Message & { text: string })[]
  let failures: string[]
  let looks: number
  let poll: number
  let held: readonly string[]
  const opened: FolderIntake[] = []

  beforeEach(() => {
    clock = new FakeClock()
    folder = aFolder()
    sent = []
    failures = []
    looks = 0
    held = []
  })
  afterEach(() => Promise.all(opened.splice(0).map((intake) => intake.close())))

  function open(more: Partial<FolderIntakeOptions> = {}): FolderIntake {
    poll = more.pollMs ?? SECOND
    const intake = openFolderIntake({
      folder,
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

  it('leave alone what programs have not finished, and folders', async () => {
    open({ pollMs: MINUTE })
    for (const name of ['.order.pdf', '~order.pdf', 'order.pdf.tmp', 'order.part', 'notes.txt']) drop(name)
    mkdirSync(join(folder, 'order.pdf'))
    await goOn(20 * MINUTE)
    expect(lies('.')).to.have.length(6)
    expect(sent).to.deep.equal([])
  })

  it('go to the folder of errors with the reasons when they cannot be used, or fail for good', async () => {
    held = ['documentType: no code of the kind of document']
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
    await Promise.all(opened.splice(0).map((intake) => intake.close()))
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
    const ID = '1700000000000000'
    const CLAIM = JSON.stringify({ id: Number(ID), pdf: 'a.pdf', index: 'a.json', others: [], size: 2 })
    const ENDING = JSON.stringify({ outcome: 'done', suffix: '', reasons: [] })
    const steps: [when: string, files: Record<string, string>, isEnded: boolean][] = [
      ['before anything was written', { 'a.pdf': '', 'a.json': '', [`processing/${ID}/.claim.json.tmp`]: '{' }, false],
      ['before the first move', { 'a.pdf': '', 'a.json': '', [`processing/${ID}/.claim.json`]: CLAIM }, false],
      [
        'between the moves',
        { 'a.json': '', [`processing/${ID}/.claim.json`]: CLAIM, [`processing/${ID}/a.pdf`]: '' },
        false,
      ],
      [
        'after the moves',
        { [`processing/${ID}/.claim.json`]: CLAIM, [`processing/${ID}/a.pdf`]: '', [`processing/${ID}/a.json`]: '' },
        false,
      ],
      [
        'before its end',
        {
          [`processing/${ID}/.claim.json`]: CLAIM,
          [`processing/${ID}/.outcome.json`]: ENDING,
          [`processing/${ID}/a.pdf`]: '',
          [`processing/${ID}/a.json`]: '',
        },
        true,
      ],
      [
        'between the moves of its end',
        {
          'done/a.pdf': '',
          [`processing/${ID}/.claim.json`]: CLAIM,
          [`processing/${ID}/.outcome.json`]: ENDING,
          [`processing/${ID}/a.json`]: '',
        },
        true,
      ],
      [
        'after its end',
        {
          'done/a.pdf': '',
          'done/a.json': '',
          [`processing/${ID}/.claim.json`]: CLAIM,
          [`processing/${ID}/.outcome.json`]: ENDING,
        },
        true,
      ],
    ]
    for (const [when, files, isEnded] of steps)
      it(`${when} come to their end once`, async () => {
        for (const place of ['done', 'error', `processing/${ID}`]) mkdirSync(join(folder, place), { recursive: true })
        for (const [name, text] of Object.entries(files)) drop(name, text)
        open({ stableMs: 0 })
        await lookedAgain()
        await goOn(2 * SECOND)
        if (!isEnded) await eventually(() => expect(sent).to.have.length(1))
        for (const message of sent) taken(message)
        await isDone('a.json', 'a.pdf')
        await isEmpty()
        expect(sent).to.have.length(isEnded ? 0 : 1)
        expect(lies('.')).to.deep.equal(['done', 'error', 'processing'])
      })

    it('are not mixed up with one that has come under their names since', async () => {
      for (const [name, text] of Object.entries(steps[3]![1])) {
        mkdirSync(join(folder, 'processing', ID), { recursive: true })
        drop(name, name.endsWith('.claim.json') ? text : 'first')
      }
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
  })
})
