/**
 * How a sender's messages become requests: codes, ids and choices that only the two parties know. Plain JSON; every value may be
 * left out.
 */
import * as z from 'zod'
import { id, Npi, rule } from '../contract/primitives.ts'
import { Annotations } from '../contract/task/document.ts'
import { Sex } from '../contract/task/patient.ts'
import { readSettings } from '../settings.ts'

/** What a sender's code for a kind of document stands for. */
const Kind = z.strictObject({ documentTypeId: id(), templateId: id().optional() }, rule('an object'))

/** A sender's own codes, each with what it stands for. */
const table = <S extends z.ZodType>(values: S) => z.record(z.string(), values, rule('an object')).default({})

const choice = <const T extends [string, ...string[]]>(words: T, usual: T[number]) =>
  z.enum(words, rule(`one of ${words.join(', ')}`)).default(usual as never)

const PLACE = 'a place in a message, such as TXA-4'
const sources = z.array(z.string(rule(PLACE)).regex(/^[A-Z][A-Z0-9]{2}-\d{1,3}$/, PLACE), rule('a list')).min(1, PLACE)

/** The fields whose sources can be chosen, as the interface names them; the first that holds anything counts. */
export const mappedFields = [
  'document.effectiveDate',
  'document.externalDocId',
  'document.documentTypeId',
  'document.diagnosisCode',
  'performers[0].signer.userNPI',
  'performers[0].organization.orgNPI',
] as const
export type MappedField = (typeof mappedFields)[number]

export const MapFile = z.strictObject(
  {
    /** PID-3.4 of the medical record number that counts; needed when a patient has several. */
    mrnAuthority: z.string(rule('text')).optional(),
    /** How much of a Social Security Number is sent. */
    ssn: choice(['never', 'last4', 'full'], 'last4'),
    /** What O, N, X and an empty PID-8 become. */
    sexOther: Sex.default('Unknown'),
    /** By TXA-2, OBR-4 or OBX-3. */
    documentTypes: table(Kind),
    /** NPIs by facility. */
    organizations: table(Npi),
    /** NPIs by the ids that the sender has for signers. */
    signers: table(Npi),
    /** Which of several PDFs in a message is signed. */
    pdf: choice(['first', 'last', 'hold'], 'hold'),
    /** Of messages that name no character set. */
    charset: z.string(rule('the name of a character set')).default('utf-8'),
    fields: z.partialRecord(z.enum(mappedFields), sources, rule('an object')).default({}),
    annotations: Annotations.default({ type: 'SmartAnnotations' }),
  },
  rule('an object'),
)
/** A map with its defaults. */
export type MapFile = z.infer<typeof MapFile>
/** A map as it is written. */
export type MapFileInput = z.input<typeof MapFile>

/** Returns the map with the defaults of what it leaves out. Throws `SettingsError`, which names everything that is wrong. */
export const readMapFile = (given: unknown): MapFile => readSettings(MapFile, given, 'map')
