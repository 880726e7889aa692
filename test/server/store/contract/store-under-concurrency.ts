/** What holds when several processes work on one store at once. Two handles stand for two processes. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import { limited } from '../../../../server/domain/tries.ts'
import type { Code } from '../../../../server/store/sign-in/spend.ts'
import { claim, present, record, resolvePatient, sign, trigger } from '../../../support/service/task-steps.ts'
import { codeOfStep, withSecondFactor } from '../../../support/store/with-second-factor.ts'
import {
  AT,
  facts,
  kindOf,
  LEASE,
  later,
  newTask,
  organization,
  PDF,
  type Place,
  pending,
  signer,
  storesIn,
} from '../stores-in.ts'

/** `newPlace` is new and empty for each test. */
export function staysRightUnderConcurrency(newPlace: () => Promise<Place>): void {
  const { twoProcesses, count } = storesIn(newPlace)

  it('makes a keepsake once, however many processes start at once', async () => {
    const stores = await twoProcesses()
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => stores[index % 2]!.keepsake('seal', AT, async () => ({ index }))),
    )
    expect(new Set(made.map(({ index }) => index)).size).to.equal(1)
  })

  it('continues one audit chain without a gap, however many processes write at once', async () => {
    const stores = await twoProcesses()
    const organizationId = await organization(stores[0]!)
    const before = await stores[0]!.audit.head()
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => stores[n % 2]!.forOrganization(organizationId).tasks.create(newTask(), AT)),
    )
    const { rows, fault } = await stores[1]!.audit.verify(before)
    expect({ rows, fault }).to.deep.equal({ rows: before.sequence + 40, fault: null })
  })

  it('lets through no more tries to sign in than there may be, however many come at once', async () => {
    const stores = await twoProcesses()
    const buckets = ['network', 'account'].map((kind) => ({
      name: [kind],
      email: kind === 'account' ? 'ann@example.org' : null,
      pace: limited(8, 900_000),
    }))
    const waits = await Promise.all(
      Array.from({ length: 30 }, (_, n) => stores[n % 2]!.signInTries.take(n % 3 ? buckets : buckets.toReversed(), AT)),
    )
    expect(waits.filter((wait) => wait === 0).length).to.equal(8)
    expect(new Set(waits.filter((wait) => wait > 0))).to.deep.equal(new Set([900_000]))
    await stores[0]!.signInTries.settle(buckets)
    expect(await stores[1]!.signInTries.take(buckets, AT), 'a success takes its own try back').to.equal(0)
    expect(await stores[1]!.signInTries.take(buckets, AT)).to.equal(900_000)
  })

  it('lets a code of a second factor do one thing for all who send it at once, and each recovery code too', async () => {
    const stores = await twoProcesses()
    const person = { email: 'a@x', name: 'An Operator', role: 'operator', npi: null, organizationId: null } as const
    const personId = (await stores[0]!.people.create({ ...person, passwordHash: 'scrypt$' }, AT))!
    await withSecondFactor(stores[0]!, personId, ['first', 'second'])
    const session = (n: number) => ({ digest: `session ${n}`, at: AT, expiresAt: later(60), ip: '127.0.0.1' })
    let steps = 0
    const sent = async (code: Code, times = 8) => {
      const digests = await Promise.all(
        Array.from({ length: times }, async () => {
          const digest = `step ${steps++}`
          const step = { digest, personId, passwordHash: 'scrypt$', mustEnrol: false, at: AT, expiresAt: later(60) }
          expect(await stores[0]!.signInSteps.begin(step)).to.equal('code')
          return digest
        }),
      )
      const ends = digests.map((digest, n) =>
        stores[n % 2]!.signInSteps.finish({ digest, code, session: session(steps++) }),
      )
      return (await Promise.all(ends)).sort()
    }
    const once = ['done', ...Array<string>(7).fill('wrong')]
    expect(await sent(codeOfStep(3))).to.deep.equal(once)
    expect(await sent(codeOfStep(3), 1), 'later').to.deep.equal(['wrong'])
    expect(await sent({ kind: 'recovery', text: 'first' })).to.deep.equal(once)
    expect(await sent({ kind: 'recovery', text: 'first' }, 1), 'later').to.deep.equal(['wrong'])
    expect(await count('session')).to.equal(2)
    expect((await stores[1]!.secondFactors.of(personId)).recoveryCodes).to.equal(1)
  })

  it('leaves one operator, when operators end each other’s accounts at once', async () => {
    const stores = await twoProcesses()
    const make = (email: string) => {
      const person = { email, name: 'An Operator', role: 'operator', npi: null, organizationId: null } as const
      return stores[0]!.people.create({ ...person, passwordHash: null }, AT)
    }
    const ids = await Promise.all(['a@x', 'b@x', 'c@x', 'd@x'].map(make))
    const ended = await Promise.allSettled(
      ids.map((id, n) => stores[n % 2]!.people[n < 2 ? 'disable' : 'remove'](id!, AT, OPERATOR)),
    )
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [kindOf(one.reason)] : []))
    expect(refused).to.deep.equal(['conflict'])
    expect(await count('person WHERE disabled_at IS NULL AND removed_at IS NULL')).to.equal(1)
  })

  it('gives a name to one organization, however many are made at once', async () => {
    const stores = await twoProcesses()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => organization(stores[n % 2]!, 'Willow Creek')),
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(refused).to.deep.equal(Array(11).fill('conflict'))
    expect(await count("organization WHERE name = 'Willow Creek'")).to.equal(1)
  })

  it('gives an NPI to one organization, however many are given it at once', async () => {
    const stores = await twoProcesses()
    const there = await organization(stores[0]!)
    const npi = '9999901017'
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => {
        const { organizations } = stores[n % 2]!
        if (n % 3 === 0) return organizations.update(there, { npi }, AT)
        return organizations.create({ name: `Practice ${n}`, npi, addresses: [], ingestionEnabled: false }, AT)
      }),
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(new Set(refused)).to.deep.equal(new Set(['conflict']))
    expect(await count(`organization WHERE npi = '${npi}'`)).to.equal(1)
  })

  it('gives each due task to one worker of all processes, and again when the lease ended', async () => {
    const stores = await twoProcesses()
    const organizationId = await organization(stores[0]!)
    for (let n = 0; n < 20; n++) await stores[0]!.forOrganization(organizationId).tasks.create(newTask(), AT)
    const claimed = (now: Date) =>
      Promise.all(Array.from({ length: 12 }, (_, n) => claim(stores[n % 2]!, now, new Date(now.getTime() + 15_000), 3)))
    const ids = (await claimed(AT)).flat().map((task) => task.id)
    expect(ids).to.have.length(20)
    expect(new Set(ids).size).to.equal(20)
    expect((await claimed(later(14))).flat()).to.deep.equal([])
    const again = (await claimed(later(15))).flat()
    expect(new Set(again.map((task) => task.id)).size).to.equal(20)
    expect(again.every((task) => task.attempts === 2)).to.equal(true)
  })

  it('keeps a saved-document id unique under 50 concurrent calls of two processes', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      const id = await pending(stores[0]!, sender, practice)
      await stores[0]!.forOrganization(sender).tasks.change(id, (task) => transition(task, 'retract', facts()))
      ids.push(id)
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => record(stores[n % 2]!.forOrganization(sender), ids[n % 5]!, 'SAVED', AT)),
    )
    const kinds = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'recorded' : kindOf(outcome.reason)))
    expect(kinds.filter((kind) => kind === 'recorded')).to.have.length(1)
    expect(kinds.filter((kind) => kind === 'invalid')).to.have.length(49)
    const { tasks } = stores[0]!.forOrganization(sender)
    expect(await tasks.list({ limit: 10, externalSavedDocumentIds: ['SAVED'] })).to.have.length(1)
  })

  it('lets one of many simultaneous triggers win, with one event, over two processes', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const id = await pending(stores[0]!, sender, practice)
    const before = await count('event')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => {
        const store = stores[n % 2]!
        if (n % 3 === 0) return sign(store, id, { pdf: PDF, sha256: '00' }, facts())
        if (n % 3 === 1) return trigger(store, id, 'reject', facts())
        return store.forOrganization(sender).tasks.change(id, (task) => transition(task, 'retract', facts()))
      }),
    )
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(lost).to.deep.equal(Array(11).fill('conflict'))
    expect(await count('event')).to.equal(before + 1)
    const { status } = (await stores[0]!.forOrganization(sender).tasks.find(id))!
    expect(await count("document WHERE kind = 'signed'")).to.equal(status === 'Completed' ? 1 : 0)
  })

  it('presents a task once, when two workers bring it to the end', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    await stores[0]!.forOrganization(sender).tasks.create(newTask(), AT)
    const [first] = await claim(stores[0]!, AT, LEASE, 1)
    const [second] = await claim(stores[1]!, later(20), later(40), 1)
    const match = await resolvePatient(stores[0]!, first!, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    const placed = { patientId: match.patientId, routedTo: practice, routedBy: 'primary' as const, fields: [] }
    const outcomes = await Promise.allSettled([
      present(stores[0]!, first!, placed, facts()),
      present(stores[1]!, second!, placed, facts()),
    ])
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(lost).to.deep.equal(['conflict'])
    expect([await count('inbox_request'), await count('event')]).to.deep.equal([1, 1])
  })

  it('makes a patient once, when many tasks of the same one are resolved at once', async () => {
    const stores = await twoProcesses()
    const sender = await organization(stores[0]!)
    for (let n = 0; n < 10; n++) await stores[0]!.forOrganization(sender).tasks.create(newTask(), AT)
    const claimed = await claim(stores[0]!, AT, LEASE, 10)
    const matches = await Promise.all(claimed.map((task, n) => resolvePatient(stores[n % 2]!, task, AT)))
    expect(new Set(matches.map((match) => match.outcome === 'known' && match.patientId)).size).to.equal(1)
    expect(await count('patient')).to.equal(1)
  })

  it('makes one delivery of an event for each subscription, when two processes look at once', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const { subscriptions } = stores[0]!.forOrganization(sender)
    for (const url of ['https://one.example.org', 'https://two.example.org'])
      await subscriptions.create(url, null, randomBytes(32), AT)
    for (let n = 0; n < 4; n++) await pending(stores[0]!, sender, practice)
    await Promise.all(Array.from({ length: 8 }, (_, n) => stores[n % 2]!.outbox.fanOut(AT, 2)))
    while ((await stores[0]!.outbox.fanOut(AT, 2)) > 0);
    expect(await count('delivery')).to.equal(8)
  })
}
