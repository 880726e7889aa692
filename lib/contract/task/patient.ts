/** The patient a document is about. spec: Resources › Task: patient */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { Address, absent, date, isGiven, MAX_ITEMS, optional, rule, text, tooMany, upTo } from '../primitives.ts'

const freeText = (title: string, description: string, example: string) =>
  optional(upTo(255)).register(docs, { title, description, examples: [example], sensitive: true })

export const PatientName = z
  .object(
    {
      use: freeText('Use', 'What the name is used for; HL7 suggests official, usual, maiden or nickname.', 'official'),
      family: text().register(docs, {
        title: 'Family name',
        description: 'Family name.',
        examples: ['Whitfield'],
        sensitive: true,
      }),
      given: z
        .array(upTo(255), rule('an array of at least one given name'))
        .min(1, 'at least one given name')
        .max(MAX_ITEMS, tooMany)
        .refine((names) => names.some(isGiven), 'at least one given name')
        .register(docs, {
          title: 'Given names',
          description: 'First and middle names, in order. Empty ones are dropped.',
          examples: [['Alma', 'Jean']],
          sensitive: true,
        }),
    },
    absent,
  )
  .register(docs, {
    id: 'PatientName',
    title: 'Name',
    description: 'A name of the patient: family and given names.',
    examples: [{ use: 'official', family: 'Whitfield', given: ['Alma', 'Jean'] }],
    sensitive: true,
  })

const sexes = ['Male', 'Female', 'Unknown', 'Ambiguous'] as const
export const Sex = z.enum(sexes, rule(`one of ${sexes.join(', ')} (the field is sex, not gender)`)).register(docs, {
  id: 'Sex',
  title: 'Sex',
  description: 'Administrative sex. The field is named sex, not gender.',
  examples: ['Female'],
  sensitive: true,
})
export type Sex = z.infer<typeof Sex>

const identifier = <A extends string>(authority: A, format: RegExp, right: string, example: string) => {
  const named = z.literal(authority)
  docs.add(named, { title: 'Authority', description: 'Who issued the identifier.', examples: [authority] })
  const value = z.string(rule(right)).regex(format, right)
  docs.add(value, { title: 'Value', description: `The identifier: ${right}.`, examples: [example], sensitive: true })
  return z.object({ authority: named, value })
}

export const PatientIdentifier = z
  .discriminatedUnion(
    'authority',
    [
      identifier('ssn', /^\d(-?\d){8}$/, '9 digits, hyphens optional', '987-65-4320'),
      identifier('ssn4', /^\d{4}$/, 'the last 4 digits of the SSN', '4320'),
      identifier('mrn', /^[A-Za-z0-9]{6,10}$/, '6 to 10 letters and digits', 'WC100001'),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? 'one of ssn, ssn4, mrn' : absent.error(issue)) },
  )
  .register(docs, {
    id: 'PatientIdentifier',
    title: 'Identifier',
    description:
      'A number the patient is known by: Social Security Number, its last 4 digits, or Medical Record Number.',
    examples: [{ authority: 'mrn', value: 'WC100001' }],
    sensitive: true,
  })
export type PatientIdentifier = z.infer<typeof PatientIdentifier>

export const Telecom = z
  .object(
    {
      system: freeText('System', 'Kind of contact; HL7 suggests phone, email or fax.', 'phone'),
      value: freeText('Value', 'The number or address itself.', '218-555-0101'),
      use: freeText('Use', 'What the contact is used for; HL7 suggests home, work or mobile.', 'home'),
    },
    absent,
  )
  .register(docs, {
    id: 'Telecom',
    title: 'Phone or email',
    description: 'A way to reach the patient. Optional, but it helps the signer.',
    examples: [{ system: 'phone', value: '218-555-0101', use: 'home' }],
    sensitive: true,
  })

export const Patient = z
  .object(
    {
      externalId: text().register(docs, {
        title: 'External patient id',
        description: "The sender's stable id of the patient. A known value matches the same patient on later tasks.",
        examples: ['WILLOW|WC100001'],
        sensitive: true,
      }),
      names: z
        .array(PatientName, rule('an array of at least one name'))
        .min(1, 'at least one name')
        .max(MAX_ITEMS, tooMany)
        .register(docs, {
          title: 'Names',
          description: 'At least one name. The first one is shown to the signer.',
          examples: [[{ use: 'official', family: 'Whitfield', given: ['Alma'] }]],
          sensitive: true,
        }),
      sex: Sex,
      birthDate: date().register(docs, {
        title: 'Birth date',
        description: 'A calendar date, YYYY-MM-DD, not in the future.',
        examples: ['1948-03-12'],
        sensitive: true,
      }),
      addresses: z
        .array(Address, rule('an array of at least one address'))
        .min(1, 'at least one address')
        .max(MAX_ITEMS, tooMany)
        .register(docs, {
          title: 'Addresses',
          description: 'At least one address, each with a postal code.',
          examples: [[{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }]],
          sensitive: true,
        }),
      identifiers: optional(z.array(PatientIdentifier, rule('an array')).max(MAX_ITEMS, tooMany)).register(docs, {
        title: 'Identifiers',
        description: 'Numbers that help to tell patients apart.',
        examples: [[{ authority: 'mrn', value: 'WC100001' }]],
        sensitive: true,
      }),
      telecoms: optional(z.array(Telecom, rule('an array')).max(MAX_ITEMS, tooMany)).register(docs, {
        title: 'Phones and emails',
        description: 'Optional ways to reach the patient.',
        examples: [[{ system: 'phone', value: '218-555-0101', use: 'home' }]],
        sensitive: true,
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'Patient',
    title: 'Patient',
    description: 'Whom the document is about. Sparse or colliding demographics can send the task to manual review.',
    examples: [
      {
        externalId: 'WILLOW|WC100001',
        names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
        sex: 'Female',
        birthDate: '1948-03-12',
        addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
        identifiers: [{ authority: 'mrn', value: 'WC100001' }],
      },
    ],
    sensitive: true,
  })
export type Patient = z.infer<typeof Patient>
