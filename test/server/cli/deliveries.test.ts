import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { called } from '../../support/commands/called.ts'
import { countersign } from '../../support/service/served.ts'
import { aDispatch, MASTER_KEY } from '../../support/store/a-dispatch.ts'
import { rewrittenFrom } from '../../support/store/a-rewritten-log.ts'

const KEY = { COUNTERSIGN_MASTER_KEY: Buffer.from(MASTER_KEY).toString('base64') }

describe('countersign deliveries and countersign audit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-cli-'))
  const ask = (...args: string[]) => called([...args, '--data', folder], KEY)
  const lines = (text: string) => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  let eventId: string

  before(async () => {
    const dispatch = await aDispatch({ data: folder })
    const { id } = await dispatch.subscribe('http://127.0.0.1:1/secret-path')
    eventId = await dispatch.happens()
    await dispatch.happens()
    dispatch.dispatcher.start()
    await dispatch.until(async () => (await dispatch.delivery(id))?.attempts === 1)
    await dispatch.stop()
  })
  after(() => rmSync(folder, { recursive: true }))

  it('lists, newest first, by what is asked for', async () => {
    const all = await countersign(['deliveries', 'list', '--data', folder], KEY)
    expect(all.stderr).to.equal('')
    expect(lines(all.stdout).map(({ id }) => id)).to.deep.equal([2, 1])
    const one = lines((await ask('deliveries', 'list', '--event', eventId)).stdout)
    expect(one).to.have.length(1)
    expect(one[0]).to.include({ eventId, status: 'Failed', state: 'waiting', subscriptionId: 1 })
    expect(lines((await ask('deliveries', 'list', '--state', 'failed')).stdout)).to.deep.equal([])
    expect(all.stdout).not.to.contain('secret-path')
  })

  it('shows a delivery with its attempts', async () => {
    const [shown] = lines((await ask('deliveries', 'show', '1')).stdout)
    expect(shown.log[0]).to.include({ attemptNumber: 1, trigger: 'scheduled', outcome: 'connection', status: null })
  })

  it('says what it would send again, and sends it again', async () => {
    const dry = await ask('deliveries', 'redeliver', '--event', eventId, '--dry-run')
    expect(lines(dry.stdout)).to.deep.equal([{ deliveries: 1, dryRun: true }])
    const failed = await ask('deliveries', 'redeliver', '--failed-since', '2026-01-01T00:00:00Z')
    expect(lines(failed.stdout)).to.deep.equal([{ deliveries: 0, dryRun: false }])
    expect(lines((await ask('deliveries', 'redeliver', '--event', eventId)).stdout)).to.deep.equal([
      { deliveries: 1, dryRun: false },
    ])
    const [audited] = lines((await ask('audit', 'export')).stdout).slice(-1)
    expect(audited).to.include({ action: 'delivery.redeliver', actor: 'operator', subject: '1' })
  })

  for (const [args, sentence] of [
    [['deliveries'], 'deliveries takes one of list, show, redeliver'],
    [['deliveries', 'show'], 'show takes the id of a delivery'],
    [['deliveries', 'show', '99'], 'There is no delivery 99'],
    [['deliveries', 'redeliver'], 'say which deliveries'],
    [['deliveries', 'list', '--state', 'lost'], 'some of waiting, delivered, failed, cancelled'],
    [['deliveries', 'list', '--since', 'yesterday'], 'since: a time such as'],
    [['deliveries', 'list', '--task', 'x'], 'taskId: a whole number from 1'],
    [['audit'], 'audit takes one of verify, head, export'],
    [['audit', 'verify', '--head', '12'], '--head: NUMBER:HASH'],
  ] as const)
    it(`${args.join(' ')} → ${sentence}`, async () => {
      const { code, stdout, stderr } = await ask(...args)
      expect(stderr).to.contain(sentence)
      expect(stdout).to.equal('')
      expect(code).to.equal(2)
    })

  it('makes no store where there is none', async () => {
    const { code, stderr } = await called(['deliveries', 'list', '--data', join(folder, 'nowhere')], KEY)
    expect(stderr).to.match(/there is no store/)
    expect(code).to.equal(2)
  })

  it('verifies the audit log against a kept head, and fails with exit code 1 when it is not whole', async () => {
    const head = (await ask('audit', 'head')).stdout.trim()
    const whole = await ask('audit', 'verify', '--head', head)
    const verification = { rows: Number(head.split(':')[0]), head, comparedWithHead: true }
    expect(lines(whole.stdout)).to.deep.equal([verification])
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    database.exec('DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)')
    database.close()
    expect((await ask('audit', 'verify')).code, 'a cut end is not visible in the log itself').to.equal(0)
    const cut = await countersign(['audit', 'verify', '--head', head, '--data', folder], KEY)
    expect(cut.code).to.equal(1)
    expect(cut.stderr).to.match(/The audit log is not whole: the rows after/)

    const query = async (statement: string) => {
      const opened = new DatabaseSync(join(folder, 'countersign.sqlite'))
      const rows = opened.prepare(statement).all()
      opened.close()
      return rows
    }
    await query("UPDATE audit SET actor_id = 'somebody' WHERE sequence = 3")
    await rewrittenFrom(3, query)
    const rewritten = await ask('audit', 'verify')
    expect(rewritten.code, 'chained anew without the key').to.equal(1)
    expect(rewritten.stderr).to.match(/The audit log is not whole: row 3 was changed/)
  })

  it('does not read a store with another key, and says so', async () => {
    writeFileSync(join(folder, 'unrelated'), '')
    const other = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
    const { code, stderr } = await called(['deliveries', 'list', '--data', folder], other)
    expect(stderr).to.match(/another master key/)
    expect(code).to.equal(1)
  })
})
