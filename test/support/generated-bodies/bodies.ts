/** Bodies of creates: valid ones, and what breaks them. */
import * as fc from 'fast-check'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { base64, orderPdf, PHRASE, TOKENS } from '../pdf/order-pdf.ts'
import { daysFromToday } from '../service/a-create-body.ts'

const tiny = base64(await orderPdf({ lines: [PHRASE, TOKENS[0]] }))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => /\S/.test(text) && !text.includes('\0'))
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const address = fc.record(
  { line: maybe(word), city: maybe(word), state: maybe(word), postalCode: digits(5) },
  { requiredKeys: ['postalCode'] },
)
const name = fc.record({ use: maybe(word), family: word, given: fc.array(word, { minLength: 1, maxLength: 3 }) })
const identifier = fc.oneof(
  fc.record({ authority: fc.constant('ssn'), value: digits(9) }),
  fc.record({ authority: fc.constant('ssn4'), value: digits(4) }),
  fc.record({ authority: fc.constant('mrn'), value: fc.stringMatching(/^[A-Za-z0-9]{6,10}$/) }),
)
const fieldType = fc.constantFrom('VisibleSignature', 'DateSigned', 'TextArea', 'CheckBox')
const item = {
  type: fieldType,
  performer: maybe(fc.constant(1)),
  required: maybe(fc.boolean()),
  value: maybe(fc.string({ maxLength: 30 })),
}
const boxed = fc
  .record({
    ...item,
    left: fc.integer({ min: 0, max: 300 }),
    top: fc.integer({ min: 0, max: 400 }),
    size: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ size, ...rest }) => ({ ...rest, pageNumber: 1, right: rest.left + size, bottom: rest.top + size }))
const beside = fc.record({
  ...item,
  referenceText: fc.constant(PHRASE),
  offsetX: fc.integer({ min: -50, max: 200 }),
  offsetY: fc.double({ min: -50, max: 50, noNaN: true }),
})
const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 3 })
const templateId = maybe(fc.constantFrom(204, 203))
const annotations = fc.oneof(
  fc.record({ type: fc.constant('Template'), templateId: fc.constantFrom(203, 204) }),
  fc.record({ type: fc.constant('Json'), templateId, data: some(boxed) }),
  fc.record({ type: fc.constant('SmartAnnotations'), templateId }),
  fc.record({ type: fc.constant('ReferenceText'), templateId, data: some(beside) }),
)
export const validBody = fc.record({
  patient: fc.record({
    externalId: word,
    names: some(name),
    sex: fc.constantFrom('Male', 'Female', 'Unknown', 'Ambiguous'),
    birthDate: fc.integer({ min: 1, max: 36_000 }).map((days) => daysFromToday(-days)),
    addresses: some(address),
    identifiers: maybe(fc.array(identifier, { maxLength: 3 })),
    telecoms: maybe(
      fc.array(fc.record({ system: maybe(word), value: maybe(word), use: maybe(word) }), { maxLength: 2 }),
    ),
  }),
  performers: fc.tuple(
    fc.record({
      signer: fc.record({ userNPI: digits(10) }),
      organization: maybe(fc.record({ orgNPI: maybe(digits(10)), name: maybe(word), addresses: maybe(some(address)) })),
    }),
  ),
  document: fc.record({
    attachment: fc.constant(tiny),
    effectiveDate: fc.integer({ min: 0, max: 30 }).map((days) => daysFromToday(-days)),
    documentTypeId: fc.integer({ min: 101, max: 112 }),
    externalDocId: word,
    annotations,
    diagnosisCode: maybe(fc.stringMatching(/^[A-Z][0-9]{2}\.[0-9]$/)),
  }),
}) as unknown as fc.Arbitrary<CreateTask>

/** Junk that is right at no place of the body where it is put. */
const MISSING = undefined
const junk: fc.Arbitrary<unknown> = fc.constantFrom(
  MISSING,
  null,
  {},
  [],
  '',
  ' ',
  '\u0000',
  -1,
  0.5,
  1e300,
  true,
  'x'.repeat(5_000),
  { a: { b: [] } },
  [[]],
  [null],
)
const required = [
  'patient',
  'performers',
  'document',
  'patient.externalId',
  'patient.names',
  'patient.sex',
  'patient.birthDate',
  'patient.addresses',
  'patient.names[0].family',
  'patient.names[0].given',
  'patient.addresses[0].postalCode',
  'performers[0].signer',
  'performers[0].signer.userNPI',
  'document.attachment',
  'document.effectiveDate',
  'document.documentTypeId',
  'document.externalDocId',
  'document.annotations',
  'document.annotations.type',
]
const absent = (value: unknown) => value === undefined || value === null
/** Optional fields, and which junk is right there. */
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  'document.diagnosisCode': (value) => absent(value) || value === '' || value === ' ',
  'document.annotations.templateId': absent,
  'patient.identifiers': (value) => absent(value) || (Array.isArray(value) && value.length === 0),
  'patient.telecoms': (value) => absent(value) || (Array.isArray(value) && value.length === 0),
  'patient.names[0].use': (value) => absent(value) || value === '' || value === ' ',
  'performers[0].organization': (value) => absent(value) || (typeof value === 'object' && !Array.isArray(value)),
}
const places = [...required, ...Object.keys(optional)]

/** A body with one thing broken, the path of that, and what is there instead. */
export const brokenBody = fc
  .tuple(validBody, fc.constantFrom(...places), junk)
  .filter(([, path, value]: [CreateTask, string, unknown]) => !optional[path]?.(value))

/** Anything at all, as it would be sent. */
export const anyText = fc.oneof(
  fc.anything({ maxDepth: 6 }).map((value) => JSON.stringify(value) ?? ''),
  fc.string({ maxLength: 200 }),
  fc.json(),
)
