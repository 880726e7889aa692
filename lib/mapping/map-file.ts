/**
 * How a sender's messages become requests: codes, ids and choices that only the two parties know. Plain JSON; every value may be
 * omitted.
 */
import * as z from 'zod'
import { id, Npi, rule } from '../contract/primitives.ts'
import { Annotations } from '../contract/task/document.ts'
import { Sex } from '../contract/task/patient.ts'
import { readSettings } from '../settings.ts'
import { isTimeZone } from '../time-zone.ts'
import { indexFields } from './index-fields.ts'
import { presetNames, presets } from './presets/presets.ts'

/** The document type that a sender's code represents. */
const Kind = z.strictObject({ documentTypeId: id(), templateId: id().optional() }, rule('an object'))

/** A sender's own codes, each with what it represents. */
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

/** The messages that can be mapped: types of HL7 v2 (MSH-9.1), and resources of FHIR. */
const messages = ['MDM', 'ORU', 'ORM', 'OML', 'DocumentReference', 'ServiceRequest', 'Task', 'Bundle'] as const
const ID_TYPE = 'a type of an id, such as MR, or untyped'
const TIME_ZONE = 'the name of a time zone, such as America/Chicago'
const PROCESSING_ID = 'a processing id, such as P'
const words = <S extends z.ZodType>(word: S) => z.array(word, rule('a list')).min(1, 'one or more')

export const MapFile = z.strictObject(
  {
    /** The preset for values that the map omits. */
    preset: z.enum(presetNames, rule(`one of ${presetNames.join(', ')}`)).optional(),
    /** Other messages are held. */
    accepts: words(z.enum(messages, rule(`one of ${messages.join(', ')}`))).default([...messages]),
    /** MSH-11 of the messages that are real: `P`, production. */
    processingIds: words(z.string(rule(PROCESSING_ID)).regex(/^[A-Z]$/, PROCESSING_ID)).default(['P']),
    /** PID-3.4 of the medical record number that counts, as its namespace or universal id; needed when a patient has several. */
    mrnAuthority: z.string(rule('text')).optional(),
    /** PID-3.5 of the id by which the sender knows a patient, or `untyped`; the first that a message has counts. */
    patientIdTypes: words(z.string(rule(ID_TYPE)).regex(/^(?:[A-Z0-9]+|untyped)$/, ID_TYPE)).default(['MR', 'PI']),
    /** How much of a Social Security Number is sent. */
    ssn: choice(['never', 'last4', 'full'], 'last4'),
    /** The sex for O, N, X and an empty PID-8. */
    sexOther: Sex.default('Unknown'),
    /** Kinds by TXA-2, OBR-4 or OBX-3. */
    documentTypes: table(Kind),
    /** NPIs by facility. */
    organizations: table(Npi),
    /** NPIs by the ids that the sender has for signers: `HUB|1173` of the authority HUB, or `1173`. */
    signers: table(Npi),
    /** XCN-9 of the ids of `signers` that name no authority themselves. */
    signerAuthority: z.string(rule('text')).min(1, 'text').optional(),
    /** Whether ten digits that nothing calls an NPI may be one (`any`), or only those that are labelled or in the table (`listed`). */
    signerIds: choice(['any', 'listed'], 'any'),
    /** Which of several PDFs in a message is signed. */
    pdf: choice(['first', 'last', 'hold'], 'hold'),
    /**
     * The character set of messages that name none, which are UTF-8 otherwise, and of those that are in another set than they
     * name: a set of single bytes and UTF-8, or 8859 and Windows-1252.
     */
    charset: z.string(rule('the name of a character set')).optional(),
    /** Where the sender is: a moment that is written in UTC has its day there. */
    timeZone: z.string(rule(TIME_ZONE)).refine(isTimeZone, TIME_ZONE).optional(),
    /** How days in an index are written besides YYYY-MM-DD and YYYYMMDD: `MDY` as 3/4/1948, the fourth of March. */
    dates: choice(['YMD', 'MDY'], 'YMD'),
    /** The sender's names for the columns of an index of files. */
    columns: z
      .partialRecord(z.enum(indexFields), z.string(rule('the name of a column')), rule('an object'))
      .default({}),
    fields: z.partialRecord(z.enum(mappedFields), sources, rule('an object')).default({}),
    annotations: Annotations.default({ type: 'SmartAnnotations' }),
  },
  rule('an object'),
)
/** A map with its defaults. */
export type MapFile = z.infer<typeof MapFile>
/** A map as it is written. */
export type MapFileInput = z.input<typeof MapFile>

/**
 * Returns the map, with the values of its preset and the defaults of what both omit. Throws `SettingsError`, which names
 * everything that is wrong.
 */
export function readMapFile(given: unknown): MapFile {
  const own = readSettings(MapFile, given, 'map')
  return own.preset === undefined ? own : MapFile.parse({ ...presets[own.preset], ...(given as MapFileInput) })
}
