/** The resources of FHIR R4 that an order is made of, as far as it needs them. What else they hold is omitted. */
import * as z from 'zod'
import { rule } from '../../contract/primitives.ts'

const text = z.string(rule('text')).optional()
const list = <S extends z.ZodType>(item: S) => z.array(item, rule('a list')).default([])
const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape, rule('an object'))

const Coding = part({ system: text, code: text })
const CodeableConcept = part({ coding: list(Coding), text })
export type CodeableConcept = z.infer<typeof CodeableConcept>

const Period = part({ start: text, end: text })

const Identifier = part({
  use: text,
  type: CodeableConcept.optional(),
  system: text,
  value: text,
  period: Period.optional(),
  assigner: part({}).optional(),
})
export type Identifier = z.infer<typeof Identifier>

export const Reference = part({ reference: text, identifier: Identifier.optional(), display: text })
export type Reference = z.infer<typeof Reference>

export const Patient = part({
  resourceType: z.literal('Patient'),
  identifier: list(Identifier),
  name: list(part({ use: text, text, family: text, given: list(z.string(rule('text'))), period: Period.optional() })),
  gender: text,
  birthDate: text,
  address: list(
    part({
      use: text,
      line: list(z.string(rule('text'))),
      city: text,
      state: text,
      postalCode: text,
      period: Period.optional(),
    }),
  ),
  link: list(part({ other: Reference.optional(), type: text })),
  telecom: list(
    part({
      system: text,
      value: text,
      use: text,
      rank: z.number(rule('a number')).optional(),
      period: Period.optional(),
    }),
  ),
})
export type Patient = z.infer<typeof Patient>

export const Practitioner = part({ resourceType: z.literal('Practitioner'), identifier: list(Identifier) })
export type Practitioner = z.infer<typeof Practitioner>

export const Organization = part({ resourceType: z.literal('Organization'), identifier: list(Identifier) })

export const PractitionerRole = part({
  resourceType: z.literal('PractitionerRole'),
  practitioner: Reference.optional(),
  organization: Reference.optional(),
  period: Period.optional(),
})

export const Condition = part({
  resourceType: z.literal('Condition'),
  code: CodeableConcept.optional(),
  subject: Reference.optional(),
})

export const Binary = part({ resourceType: z.literal('Binary'), contentType: text, data: text })

const Content = part({
  attachment: part({
    contentType: text,
    data: text,
    url: text,
    size: z.number(rule('a number')).optional(),
    hash: text,
  }),
})

export const DocumentReference = part({
  resourceType: z.literal('DocumentReference'),
  masterIdentifier: Identifier.optional(),
  identifier: list(Identifier),
  type: CodeableConcept.optional(),
  subject: Reference.optional(),
  author: list(Reference),
  authenticator: Reference.optional(),
  custodian: Reference.optional(),
  relatesTo: list(part({ code: text, target: Reference })),
  content: list(Content),
  context: part({
    period: Period.optional(),
    related: list(Reference),
    encounter: list(Reference),
    sourcePatientInfo: Reference.optional(),
  }).optional(),
})
export type DocumentReference = z.infer<typeof DocumentReference>

export const ServiceRequest = part({
  resourceType: z.literal('ServiceRequest'),
  identifier: list(Identifier),
  code: CodeableConcept.optional(),
  subject: Reference.optional(),
  occurrenceDateTime: text,
  occurrencePeriod: Period.optional(),
  requester: Reference.optional(),
  reasonCode: list(CodeableConcept),
  reasonReference: list(Reference),
  supportingInfo: list(Reference),
  replaces: list(Reference),
  encounter: Reference.optional(),
})

export const Task = part({
  resourceType: z.literal('Task'),
  identifier: list(Identifier),
  focus: Reference.optional(),
  for: Reference.optional(),
  owner: Reference.optional(),
  restriction: part({ period: Period.optional() }).optional(),
})
