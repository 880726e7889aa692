/** Rules of creates that are refused: each sends a body that would be accepted, with one thing wrong. */
import { TASKS } from '../host.ts'
import { expectShape, expectStatus } from '../judge.ts'
import { type Rule, rulesOf } from '../rule.ts'
import { CreateErrors } from '../shapes.ts'
import type { BodyChange } from '../stage/bodies.ts'
import { jsonAnnotations, referenceAnnotations, samplePatient, samplePdf } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'
import { notTried } from '../verdict.ts'
import { templateOf } from './create.ts'

type Wrong = BodyChange | ((stage: Stage) => BodyChange | Promise<BodyChange>)

const GROUP = 'Create: refusals'
const PATIENT = 'Resources › Task: patient'
const DOCUMENT = 'Resources › Task: document'
const ANNOTATIONS = 'Resources › Task: annotations'

const refuses =
  (wrong: Wrong): Rule['attempt'] =>
  async (host, stage) => {
    const change = typeof wrong === 'function' ? await wrong(stage) : wrong
    expectStatus(await host.post(TASKS, await stage.body(change)), 400)
  }

const patient = (change: Record<string, unknown>): BodyChange => ({ patient: change })
const document = (change: Record<string, unknown>): BodyChange => ({ document: change })
const identifier = (authority: string, value: string) => patient({ identifiers: [{ authority, value }] })
const [NAME] = samplePatient().names as [{ given: string[]; family: string }]
const [ADDRESS] = samplePatient().addresses as [Record<string, string>]

/** The first item of annotations, without one of its values. */
function itemWithout(annotations: Record<string, unknown>, name: string): BodyChange {
  const [item] = annotations.data as [Record<string, unknown>]
  return document({ annotations: { ...annotations, data: [{ ...item, [name]: undefined }] } })
}

const signers = (make: (npi: string) => unknown) => async (stage: Stage) => ({ performers: make(await stage.signer()) })

async function withoutDiagnosisCode(stage: Stage): Promise<BodyChange> {
  const template = (await stage.templates()).find(({ diagnosisCodeRequired }) => diagnosisCodeRequired === true)
  if (!template) notTried('no template of the organization needs a diagnosis code')
  return document({ annotations: { type: 'Template', templateId: template!.templateId } })
}

/** A year before any window that has a beginning. */
async function longAgo(stage: Stage): Promise<BodyChange> {
  const { document: ofTemplate } = await templateOf(stage)
  return document({ ...ofTemplate, effectiveDate: '1900-01-01' })
}

const WRONG: readonly (readonly [name: string, spec: string, wrong: Wrong])[] = [
  ['without a patient', PATIENT, { patient: null }],
  ['without an externalId of the patient', PATIENT, patient({ externalId: undefined })],
  ['without names', PATIENT, patient({ names: undefined })],
  ['with an empty array of names', PATIENT, patient({ names: [] })],
  ['with a name without family', PATIENT, patient({ names: [{ given: NAME.given }] })],
  ['with a name without given', PATIENT, patient({ names: [{ family: NAME.family }] })],
  ['without a sex', PATIENT, patient({ sex: undefined })],
  ['with a sex that the interface does not have', PATIENT, patient({ sex: 'F' })],
  ['without a birth date', PATIENT, patient({ birthDate: undefined })],
  ['with a birth date of another form', PATIENT, patient({ birthDate: '01/02/1950' })],
  ['without addresses', PATIENT, patient({ addresses: undefined })],
  ['with an empty array of addresses', PATIENT, patient({ addresses: [] })],
  ['with an address without a postal code', PATIENT, patient({ addresses: [{ ...ADDRESS, postalCode: undefined }] })],
  ['with an SSN of eight digits', PATIENT, identifier('ssn', '98765432')],
  ['with three last digits of an SSN', PATIENT, identifier('ssn4', '432')],
  ['with an MRN of five characters', PATIENT, identifier('mrn', 'C0001')],
  ['with an MRN of eleven characters', PATIENT, identifier('mrn', 'CONFORM0001')],
  ['with an identifier of an unknown authority', PATIENT, identifier('passport', 'C0001234')],
  ['without performers', 'Resources › Task: performers', { performers: undefined }],
  ['with an empty array of performers', 'Resources › Task: performers', { performers: [] }],
  ['with two performers', 'Limits', signers((userNPI) => [{ signer: { userNPI } }, { signer: { userNPI } }])],
  ['with a signer of nine digits', 'Limits', { performers: [{ signer: { userNPI: '123456789' } }] }],
  ['without a document', DOCUMENT, { document: null }],
  ['without an externalDocId', DOCUMENT, document({ externalDocId: undefined })],
  ['without an attachment', DOCUMENT, document({ attachment: undefined })],
  ['with an attachment that is not Base64', DOCUMENT, document({ attachment: '%PDF-1.7 as it is *' })],
  [
    'with an attachment that is not a PDF',
    DOCUMENT,
    document({ attachment: Buffer.from('A text, and no PDF.').toString('base64') }),
  ],
  ['without a clinical date', DOCUMENT, document({ effectiveDate: undefined })],
  ['with a clinical date of another form', DOCUMENT, document({ effectiveDate: '01/02/2026' })],
  ['with a clinical date before the window of its template', 'Errors', longAgo],
  ['without a document type', DOCUMENT, document({ documentTypeId: undefined })],
  ['with an unknown document type', 'Errors', document({ documentTypeId: 999_999_999 })],
  ['without annotations', ANNOTATIONS, document({ annotations: undefined })],
  ['with annotations of an unknown type', ANNOTATIONS, document({ annotations: { type: 'Anywhere' } })],
  ['with a template that is not named', ANNOTATIONS, document({ annotations: { type: 'Template' } })],
  ['with an unknown template', 'Errors', document({ annotations: { type: 'Template', templateId: 999_999_999 } })],
  ['with coordinates without a page', ANNOTATIONS, () => itemWithout(jsonAnnotations('top-left'), 'pageNumber')],
  [
    'with a place next to a text that is not given',
    ANNOTATIONS,
    () => itemWithout(referenceAnnotations(), 'referenceText'),
  ],
  ['with a place next to a text without an offset', ANNOTATIONS, () => itemWithout(referenceAnnotations(), 'offsetX')],
  ['without the diagnosis code that its template needs', 'Errors', withoutDiagnosisCode],
]

export const createRefusals = [
  ...rulesOf(
    GROUP,
    WRONG.map(([what, spec, wrong]) => [`a create ${what} is 400`, spec, refuses(wrong)] as const),
  ),
  ...rulesOf(GROUP, [
    [
      'a refused create says why: { errors: [text, …] }',
      'Errors',
      async (host, stage) => {
        const answer = await host.post(TASKS, await stage.body({ document: { externalDocId: undefined } }))
        expectShape(CreateErrors, answer.body)
      },
    ],
    [
      'a create with a document just above the limit of the profile is 400 or 413',
      'Limits',
      async (host, stage) => {
        const { tokenPrefix, limits } = host.profile
        const attachment = await samplePdf({ tokenPrefix }, limits.attachmentBytes)
        expectStatus(await host.post(TASKS, await stage.body({ document: { attachment } })), 400, 413)
      },
    ],
  ]),
]
