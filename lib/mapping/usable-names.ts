/** Which of the names that came can be sent, and which is the first. Pure. */
import type { Patient } from '../contract/task/patient.ts'
import { type Findings, listOf } from './findings.ts'

type Name = Patient['names'][number]

export interface GivenName {
  place: string
  use: string | null
  /** Empty when there is none. */
  family: string
  given: readonly string[]
}

/**
 * One of the words that are written before a child has a name, alone or with others, and with the letter of a twin: apart from the word, or
 * A to C directly behind it. Boyd and Malek are names, and so is a letter alone.
 */
const PLACEHOLDER_NAME =
  /^(?:(?:baby|infant|newborn|unknown|test|boy|girl|male|female)[\s,-]*)+(?:(?<=[\s,-])[a-z]|[a-c])?\d*$|^(?:bb|bg|nb)\d*$/i

/** Control characters other than blanks and line breaks, and the character that replaces a letter that was lost. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\ufffd/u

/** Whether a text has a character that no text has: something on its way has read it in another character set. */
export const isUnreadable = (text: string): boolean => UNREADABLE.test(text)

/** Official names come first, then usual ones. */
const rank = ({ use }: GivenName): number => ({ official: 0, usual: 1 })[use ?? ''] ?? 2

/** Returns the names that have both parts, the first of which is shown to the signer. Holds the message when there is none. */
export function usableNames(names: readonly GivenName[], all: string, findings: Findings): Name[] {
  const whole = names.filter(({ place, family, given }) => {
    const isWhole = family !== '' && given.length > 0
    if (!isWhole && (family !== '' || given.length > 0))
      findings.warn(place, `left out, because it has no ${family === '' ? 'family' : 'given'} name`)
    return isWhole
  })
  for (const { place, family, given } of whole)
    if ([family, ...given].some(isUnreadable)) findings.hold(place, 'has a character that cannot be read')
  const ranked = whole.toSorted((a, b) => rank(a) - rank(b))
  const [first] = ranked
  if (first === undefined) findings.hold(all, 'has no name with both a family name and a given name')
  else if (PLACEHOLDER_NAME.test(first.given.join(' ')))
    findings.hold(first.place, 'is a placeholder for a given name, which could match other patients')
  const placed = ranked.map(({ place, use, family, given }) => ({ place, value: { use, family, given: [...given] } }))
  return listOf('patient.names', placed, findings)
}
