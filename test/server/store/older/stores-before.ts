/** What a store keeps that was made before one of the later migrations; SQLite and PostgreSQL pass the same. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { aSigner, DELEGATE } from '../../../support/store/a-delegation.ts'
import { TEMPLATE } from '../../../support/store/a-planted-store.ts'
import { aStoreBefore } from '../../../support/store/older/a-store-before.ts'
import { AT, facts, later, newTask, PDF, type Place, pending, signer, storesIn } from '../stores-in.ts'

const { userNPI: NPI } = newTask().request.performer.signer
const SIGNER = { kind: 'signer', id: NPI } as const
const CONTENT = 'what the document was signed with'

/** What stands, after it was brought up to date, in a store that was made before a migration, instead of what was written. */
const BEFORE = [
  ['0022-covered-tokens', { coversTokens: true }],
  ['0023-certificates', { signatureRule: 'atEnd', shownAt: null, means: null }],
  ['0024-template-samples', { sample: null }],
  ['0026-signed-content', { isKnownAgain: false }],
  ['0027-notices', { notices: 'off' }],
  ['0028-acts-on-tasks', {}],
  ['0030-template-exceptions', { exceptions: [null, null] }],
  ['0032-delegations', { allowsDelegation: false, delegations: [], rejectedBy: null }],
  ['0033-kept-counts', {}],
  ['0039-time-zones', { timeZone: null }],
] as const

export function keepsWhatWasBefore(newPlace: () => Promise<Place>): void {
  describe('when it is older than a migration', () => {
    const { open, place } = storesIn(newPlace)
    const key = randomBytes(32)
    let folder: string
    let written: Awaited<ReturnType<typeof read>>
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-before-'))
      const today = await openStore(folder, key)
      written = await write(today).finally(() => today.close())
    })
    after(() => rmSync(folder, { recursive: true }))

    for (const [index, [migration]] of BEFORE.entries())
      it(`keeps all that it holds through ${migration} and the later ones`, async () => {
        await aStoreBefore(migration, join(folder, 'countersign.sqlite'), place().data, key)
        const missing = Object.assign({}, ...BEFORE.slice(index).map(([, values]) => values))
        expect(await read(await open(key))).to.deep.equal({ ...written, ...missing })
      })
  })
}

/** Fills a store with something for each of the migrations, and returns what is read of it. */
async function write(store: Store) {
  const practice = await signer(store)
  await store.documentTypes.create({ id: 104, name: 'Order', category: 'Order' }, AT)
  await store.organizations.update(
    practice,
    {
      coversTokens: false,
      signatureRule: 'notNeeded',
      allowsDelegation: true,
      timeZone: 'America/Denver',
    },
    AT,
  )
  const { templates, tasks } = store.forOrganization(practice)
  await templates.keepSample(await templates.create(TEMPLATE, AT), PDF, AT)
  const inbox = store.forSigner(NPI, SIGNER)
  const waits = await pending(store, practice, practice)
  await inbox.waitingPdf(waits, later(1))
  const signs = await pending(store, practice, practice, { externalDocId: 'DOC-2' })
  const document = { pdf: PDF, sha256: 'of the signed one', content: CONTENT, at: AT }
  await store.signing.sign('all', signs, SIGNER, document, (task) => transition(task, 'sign', facts()))
  const retracted = await pending(store, practice, practice, { externalDocId: 'DOC-3' })
  await tasks.change(retracted, (task) => transition(task, 'retract', { ...facts(), reason: 'sent twice' }))
  const rejected = await pending(store, practice, practice, { externalDocId: 'DOC-4' })
  const soon = { mode: 'soon', hour: 7, timeZone: 'UTC', address: 'ruth@lakeside.example' } as const
  await store.notices.choose(NPI, soon, 'off-key', { by: OPERATOR, at: AT })
  const person = { email: 'ruth@lakeside.example', name: 'Ruth Calder', role: 'signer', npi: NPI } as const
  const account = { organizationId: null, passwordHash: 'scrypt$' }
  const personId = (await store.people.create({ ...person, ...account }, AT))!
  const session = { personId, passwordHash: 'scrypt$', digest: 'a session', at: AT, expiresAt: later(60), ip: '::1' }
  expect(await store.sessions.open(session)).to.equal(true)
  await aSigner(store, DELEGATE, practice)
  const given = { organizationId: practice, signerNpi: NPI, delegateNpi: DELEGATE, startsAt: AT, endsAt: later(60) }
  await store.delegations.create(given, { by: SIGNER, at: AT })
  await store
    .tasks({ signerNpi: DELEGATE, standingInAt: AT })
    .change(rejected, { kind: 'signer', id: DELEGATE }, (task) =>
      transition(task, 'reject', { ...facts(), reason: 'Wrong dose' }),
    )
  return read(store)
}

async function read(store: Store) {
  const [practice] = await store.organizations.list()
  const { templates, tasks } = store.forOrganization(practice!.id)
  const [template] = await templates.list()
  const [waits, signs, retracted, rejected] = (await tasks.list({ limit: 4 })).sort((a, b) => a.id - b.id)
  const inbox = store.forSigner(NPI, SIGNER)
  const document = await store.signing.find('all', waits!.id)
  const { fault } = await store.audit.verify()
  return {
    name: practice!.name,
    coversTokens: practice!.coversTokens,
    signatureRule: practice!.signatureRule,
    timeZone: practice!.timeZone,
    template: template!.summary,
    exceptions: [template!.signatureRule, template!.coversTokens],
    sample: (await templates.sample(template!.templateId))?.toString('hex') ?? null,
    patient: document!.patient,
    pdf: document!.pdf.toString('hex'),
    events: document!.events,
    shownAt: document!.shownAt,
    signed: (await inbox.signedPdf(signs!.id, AT))?.toString('hex'),
    isKnownAgain: await store.signing.wasSignedWith('all', signs!.id, CONTENT),
    allowsDelegation: practice!.allowsDelegation,
    delegations: await store.delegations.list('all', AT),
    rejectedBy: (await inbox.past(10)).find(({ taskId }) => taskId === rejected!.id)!.doneBy,
    outcomes: [await inbox.outcome(signs!.id), await inbox.outcome(retracted!.id)],
    notices: (await store.notices.of(NPI)).mode,
    means: (await store.sessions.find('a session', AT, new Date(0)))?.visitor.means,
    counts: await store.overview(null).counts(),
    auditFault: fault,
  }
}
