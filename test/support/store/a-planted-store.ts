/** A store that holds one of everything that is sealed, each with a text that can be looked for. */
import { OPERATOR } from '../../../server/domain/audit.ts'
import { transition } from '../../../server/domain/task/task.ts'
import { openStore } from '../../../server/store/store.ts'
import { claim, present, record, resolvePatient } from '../service/task-steps.ts'
import { withSecondFactor } from './with-second-factor.ts'

export const AT = new Date('2026-03-02T09:00:00.000Z')
export const KEY = new Uint8Array(32).fill(1)
export const PLANTED = {
  family: 'Zyxwhitfield',
  given: 'Zyxalma',
  birthDate: '1848-03-12',
  externalId: 'ZYX-PATIENT-1',
  line: 'Zyx Alder Street 1',
  phone: '999-555-0101-zyx',
  mrn: 'ZYXWC10001',
  diagnosisCode: 'ZYX-E11.9',
  externalDocId: 'ZYX-DOC-1',
  pdf: '%PDF-zyx-bytes-of-the-document',
  reason: 'Zyx reason of the retract',
  savedId: 'ZYX-SAVED-1',
  secret: 'zyx-secret-of-thirty-two-bytes!!',
  nextSecret: 'zyx-the-next-of-thirty-two-bytes',
  url: 'https://ehr.example.org/?token=zyx-token-of-the-callback',
  redirected: 'https://ehr.example.org/?token=zyx-token-of-the-new-place',
  description: 'Zyx description of the subscription',
  summary: 'Zyx summary of the template',
  dateLabel: 'Zyx label of the clinical date',
  fieldText: 'Zyx text of a field',
  authenticator: 'zyx-authenticator-20',
  recoveryCode: 'zyxrecover',
} as const

const BOX = { left: 72, top: 600, right: 252, bottom: 636 }
export const TEMPLATE = {
  summary: PLANTED.summary,
  clinicalDateLabel: PLANTED.dateLabel,
  daysBefore: null,
  daysAfter: 3,
  diagnosisCodeAllowed: true,
  diagnosisCodeRequired: false,
  pdfRequired: true,
  isCustomTemplate: true,
  signatureRule: null,
  coversTokens: false,
  fields: [{ type: 'TextArea' as const, required: true, page: 1, value: PLANTED.fieldText, box: BOX }],
}

export async function aPlantedStore(folder: string, ...keys: [Uint8Array, ...Uint8Array[]]) {
  const store = await openStore(folder, ...keys)
  const organization = { name: 'Willow', npi: null, addresses: [], ingestionEnabled: true }
  const sender = store.forOrganization(await store.organizations.create(organization, AT))
  const subscriptionId = await sender.subscriptions.create(
    PLANTED.url,
    PLANTED.description,
    Buffer.from(PLANTED.secret),
    AT,
  )
  await sender.subscriptions.update(subscriptionId, { url: PLANTED.redirected }, AT)
  const { organizationId } = sender
  const until = new Date(AT.getTime() + 365 * 24 * 60 * 60 * 1000)
  const which = { organizationId, id: subscriptionId, by: OPERATOR, at: AT }
  await store.receivers.addSecret(which, Buffer.from(PLANTED.nextSecret), until)
  await sender.templates.create(TEMPLATE, AT)
  const patient = {
    externalId: PLANTED.externalId,
    names: [{ use: 'official', family: PLANTED.family, given: [PLANTED.given] }],
    sex: 'Female' as const,
    birthDate: PLANTED.birthDate,
    addresses: [{ line: PLANTED.line, city: 'Duluth', state: 'MN', postalCode: '55802' }],
    telecoms: [{ system: 'phone', value: PLANTED.phone, use: 'home' }],
    identifiers: [{ authority: 'mrn' as const, value: PLANTED.mrn }],
  }
  const task = await sender.tasks.create(
    {
      request: {
        patient,
        performer: { signer: { userNPI: '9999900043' } },
        effectiveDate: '2026-03-02',
        diagnosisCode: PLANTED.diagnosisCode,
        annotations: { type: 'SmartAnnotations' },
      },
      externalDocId: PLANTED.externalDocId,
      documentTypeId: 1,
      templateId: null,
      pdf: Buffer.from(PLANTED.pdf),
      sha256: '0'.repeat(64),
      receivedSha256: '0'.repeat(64),
      preparations: [],
    },
    AT,
  )
  const [claimed] = await claim(store, AT, new Date(AT.getTime() + 1_000), 1)
  const found = await resolvePatient(store, claimed!, AT)
  if (found.outcome !== 'known') throw new Error('A patient who is new is not to be reviewed.')
  const facts = (eventId: string) => ({ at: AT, eventId })
  const presentation = {
    patientId: found.patientId,
    routedTo: sender.organizationId,
    routedBy: 'primary' as const,
    fields: [],
  }
  await present(store, claimed!, presentation, facts(crypto.randomUUID()))
  await sender.tasks.change(task.id, (state) =>
    transition(state, 'retract', { ...facts(crypto.randomUUID()), reason: PLANTED.reason }),
  )
  await record(sender, task.id, PLANTED.savedId, AT)
  const person = { email: 'signer@willow.example', name: 'A Signer', role: 'operator', npi: null } as const
  const personId = await store.people.create({ ...person, organizationId: null, passwordHash: 'scrypt$' }, AT)
  await withSecondFactor(store, personId!, [PLANTED.recoveryCode], Buffer.from(PLANTED.authenticator))
  return { store, sender, task }
}
