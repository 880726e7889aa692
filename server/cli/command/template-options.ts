/** The options that say what a template holds: its texts, its fields and its rules. */
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { fieldsOf } from './template-fields.ts'

export const SUMMARY = ['--summary <TEXT>', 'what it is for'] as const
export const LABEL = ['--clinical-date-label <TEXT>', 'what effectiveDate means on it'] as const
export const FIELDS = ['--fields <FILE>', 'JSON array of annotations'] as const

/** Leaves the decision to the organization. */
const FOLLOWS = 'organization'

export interface GivenRules {
  summary?: string
  clinicalDateLabel?: string
  fields?: string
  diagnosisCode?: string
  daysBefore?: string
  daysAfter?: string
  pdfRequired?: string
  withoutSignature?: boolean
  signatureRule?: string
  coverTokens?: string
}

export const withRules = (verb: Command): Command =>
  verb
    .option('--diagnosis-code <none|allowed|required>', 'none in a new one')
    .option('--days-before <NUMBER|open>', 'how far the certification window reaches back; open in a new one')
    .option('--days-after <NUMBER|open>', 'how far it reaches ahead; open in a new one')
    .option(
      '--signature-rule <required|atEnd|notNeeded|organization>',
      'what becomes of a document without a signature field; organization, as in a new one: what that decides',
    )
    .option(
      '--cover-tokens <yes|no|organization>',
      'whether ink covers the text of tokens; organization, as in a new one: what that decides',
    )
    .option('--without-signature', 'confirms that --fields has none for a signature')
    .option('--pdf-required <yes|no>', 'what senders read of it; yes in a new one, and a create has its PDF either way')
    .addHelpText(
      'after',
      `
The annotations are written as in document.annotations.data of a task with type Json:
[{"type":"VisibleSignature","required":true,"pageNumber":1,
  "left":72,"top":690,"right":272,"bottom":726}]`,
    )

/** Returns the body of the change that the options ask for, with nothing of what they omit. */
export function changeOf({ fields: file, ...given }: GivenRules): object {
  const change = {
    summary: given.summary,
    clinicalDateLabel: given.clinicalDateLabel,
    diagnosisCode: given.diagnosisCode,
    daysBefore: daysOf('days-before', given.daysBefore),
    daysAfter: daysOf('days-after', given.daysAfter),
    pdfRequired: flagOf('pdf-required', given.pdfRequired),
    withoutSignature: given.withoutSignature,
    signatureRule: given.signatureRule === FOLLOWS ? null : given.signatureRule,
    coversTokens: given.coverTokens === FOLLOWS ? null : flagOf('cover-tokens', given.coverTokens),
    fields: file === undefined ? undefined : fieldsOf(file),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function flagOf(name: string, given: string | undefined): boolean | undefined {
  if (given === undefined) return undefined
  if (given !== 'yes' && given !== 'no') throw new CommandError(`--${name}: yes or no`)
  return given === 'yes'
}

/** Null is an open end. */
function daysOf(name: string, given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined
  if (given === 'open') return null
  if (!/^\d{1,5}$/.test(given)) throw new CommandError(`--${name}: a whole number of days, or open`)
  return Number(given)
}
