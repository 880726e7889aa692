/** The bodies of the sample orders. The patients do not exist, and neither do their addresses. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { tokenOf } from '../../../lib/profile/names.ts'
import type { OrderToSend, SamplePatient } from '../../operations/sandbox/orders/orders.ts'
import { DATE_AT, PHRASE, SIGNATURE_AT, sampleDocument } from './sample-documents.ts'

/** A document type of the demo: Physician Order. */
const DOCUMENT_TYPE = 104

const person = (mrn: string, family: string, given: string, sex: 'Female' | 'Male', birthDate: string) => ({
  externalId: `ROOM|${mrn}`,
  names: [{ use: 'official' as const, family, given: [given] }],
  sex,
  birthDate,
  addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
  identifiers: [{ authority: 'mrn' as const, value: mrn }],
})

const patients: Readonly<Record<SamplePatient, CreateTask['patient']>> = {
  usual: person('CR100001', 'Whitfield', 'Alma', 'Female', '1948-03-12'),
  umlaut: person('CR100002', 'Müller', 'Jörg', 'Male', '1951-07-30'),
  japanese: person('CR100003', '山田', '太郎', 'Male', '1939-11-02'),
  'twin-brother': person('CR100004', 'Smith', 'John', 'Male', '1960-05-05'),
  'twin-sister': person('CR100005', 'Smith', 'Joan', 'Female', '1960-05-05'),
  apostrophe: person('CR100006', 'O’Brien-Nuñez', 'Zoë', 'Female', '1944-01-31'),
}

export interface BodyParts {
  profile: Pick<HostProfile, 'tokenPrefix'>
  /** A template of the organization, for the placement that uses one; null when it has none. */
  template: { templateId: number; diagnosisCodeRequired: boolean } | null
  /** The clinical date, YYYY-MM-DD. */
  date: string
  externalDocId: string
}

export async function sampleBody(order: OrderToSend, parts: BodyParts): Promise<CreateTask> {
  const { profile, template, date, externalDocId } = parts
  const patient = patients[order.patient]
  const tokens = {
    signature: tokenOf('VisibleSignature', profile),
    date: tokenOf('DateSigned', profile),
  }
  const mrn = patient.identifiers?.[0]?.value ?? ''
  const sample = async () => {
    const parts = { date, mrn, tokens: order.placement === 'tokens' ? tokens : null }
    return Buffer.from(await sampleDocument(order.document, parts)).toString('base64')
  }
  const usesTemplate = order.placement === 'template' && template !== null
  return {
    patient,
    performers: [{ signer: { userNPI: order.signer } }],
    document: {
      attachment: order.pdf ?? (await sample()),
      effectiveDate: date,
      documentTypeId: DOCUMENT_TYPE,
      externalDocId,
      ...(usesTemplate && template.diagnosisCodeRequired && { diagnosisCode: 'I10' }),
      annotations: annotationsOf(order, template),
    },
  }
}

function annotationsOf(
  { placement, phrase }: Pick<OrderToSend, 'placement' | 'phrase'>,
  template: BodyParts['template'],
): CreateTask['document']['annotations'] {
  if (placement === 'tokens') return { type: 'SmartAnnotations' }
  if (placement === 'template' && template) return { type: 'Template', templateId: template.templateId }
  if (placement === 'phrase')
    return {
      type: 'ReferenceText',
      data: [{ type: 'VisibleSignature', required: true, referenceText: phrase || PHRASE, offsetX: 110, offsetY: -18 }],
    }
  return {
    type: 'Json',
    data: [
      { type: 'VisibleSignature', required: true, pageNumber: 1, ...SIGNATURE_AT },
      { type: 'DateSigned', required: true, pageNumber: 1, ...DATE_AT },
    ],
  }
}
