/** What an operator key has made, from the audit log. */
import { expect } from 'chai'
import type { AuditRow } from '../../../server/domain/audit.ts'
import { madeByKey } from '../../../server/domain/made-by-key.ts'

const KEY = 'stolen'

type Written = Partial<AuditRow> & Pick<AuditRow, 'action'>

async function* log(...rows: Written[]): AsyncGenerator<AuditRow> {
  let sequence = 0
  for (const row of rows)
    yield {
      sequence: ++sequence,
      at: '2026-01-15T09:30:00.000Z',
      actor: 'operator',
      actorId: KEY,
      outcome: 'done',
      organizationId: null,
      taskId: null,
      subject: null,
      requestId: null,
      ip: null,
      ...row,
    }
}
const made = async (...rows: Written[]) =>
  (await madeByKey(log(...rows), KEY)).map(({ kind, id, by }) => `${kind} ${id} by ${by}`)

describe('what an operator key has made', () => {
  it('is what it did, what was made by that, and so on', async () => {
    expect(
      await made(
        { action: 'account.create', subject: '7' },
        { action: 'key.issue', actorId: '7', subject: 'k1', organizationId: 3 },
        { action: 'subscription.create', actor: 'key', actorId: 'k1', subject: '5', organizationId: 3 },
        { action: 'account.create', actorId: '7', subject: '8' },
        { action: 'provider.create', actorId: '8', subject: '9999900019' },
        { action: 'organization.create', organizationId: 4 },
      ),
    ).to.deep.equal([
      `account 7 by ${KEY}`,
      'key k1 by 7',
      'subscription 5 by k1',
      'account 8 by 7',
      'provider 9999900019 by 8',
      `organization 4 by ${KEY}`,
    ])
  })

  it('is nothing of what others did, before or elsewhere, and nothing that was refused', async () => {
    expect(
      await made(
        { action: 'account.create', actorId: '1', subject: '2' },
        { action: 'key.issue', actorId: '7', subject: 'before' },
        { action: 'account.create', subject: '7', outcome: 'refused' },
        { action: 'key.issue', actor: 'signer', actorId: KEY, subject: 'k1' },
        { action: 'account.disable', subject: '3' },
        { action: 'task.cancel', subject: '4' },
      ),
    ).to.deep.equal([])
  })

  it('is nothing of an account whose id is that of an organization, a provider or a subscription that it made', async () => {
    for (const action of ['organization.create', 'provider.create', 'subscription.create', 'key.issue'] as const) {
      const one = { action, subject: '4', organizationId: 4 }
      expect(await made(one, { action: 'account.create', actorId: '4', subject: '9' }), action).to.have.length(1)
    }
  })

  it('ends with the password that somebody else has given since, and not with one that it gave itself', async () => {
    const taken = { action: 'account.password', subject: '2' } as const
    const later = { action: 'key.issue', actorId: '2', subject: 'k1', organizationId: 3 } as const
    expect(await made(taken, later)).to.deep.equal([`password 2 by ${KEY}`, 'key k1 by 2'])
    expect(await made(taken, { ...taken, actorId: '1' }, later)).to.deep.equal([])
    expect(await made(taken, { ...taken, actorId: '2' }, later)).to.deep.equal(['password 2 by 2', 'key k1 by 2'])
    const own = { action: 'account.create', subject: '2' } as const
    expect(await made(own, taken, { ...taken, actorId: '1' }, later)).to.deep.equal([
      `account 2 by ${KEY}`,
      'key k1 by 2',
    ])
  })
})
