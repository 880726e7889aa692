/** Decides whether a document matches a search, for the inbox and for the service, which searches the history. Pure. */
import { foldText } from './name-fold.ts'

/** The parts of a document that are searched. */
export interface Searched {
  /** `birthDate` is YYYY-MM-DD. */
  patient: { name: string; birthDate: string; mrn: string | null }
  documentType: string
  /** The id that the service gave it. */
  taskId: number
  /** The id that its sender gave it. */
  externalDocId: string
  /** YYYY-MM-DD */
  clinicalDate: string
  sender: string
  /** The reason of a rejection. */
  reason?: string | null
}

/**
 * Returns a function that says whether a document has all words of the search. A word may be part of a longer one; case, accents
 * and apostrophes do not count. Dates match in any usual spelling, with the month first where that is in doubt.
 */
export function searchFor(search: string): (document: Searched) => boolean {
  const words = foldText(search).replace(/,/g, ' ').split(/\s+/).filter(Boolean)
  const isIn = (text: string) => (word: string) => text.includes(word) || text.includes(word.replaceAll('-', ''))
  return (document) => {
    const isWanted = isIn(textOf(document))
    const others = words.filter((word) => !isWanted(word))
    return others.length === 0 || (others.every(mayNameDate) && others.every(isIn(datesOf(document))))
  }
}

function textOf({ patient: { name, mrn }, documentType, taskId, externalDocId, sender, reason }: Searched): string {
  const ids = [mrn, externalDocId].flatMap((id) => [id, id?.replace(/[\s-]/g, '')])
  const texts = [name, ...ids, String(taskId), documentType, sender, reason]
  return foldText(texts.filter(Boolean).join(' '))
}

const datesOf = ({ patient, clinicalDate }: Searched): string =>
  [...spellingsOf(patient.birthDate), ...spellingsOf(clinicalDate)].join(' ')

const months = 'january february march april may june july august september october november december'.split(' ')

/** Whether a word may be found in the spellings of a date, which take longer to make than to rule out. */
const mayNameDate = (word: string): boolean =>
  /\d/.test(word) || /^[/.-]+$/.test(word) || months.some((month) => month.includes(word))

/** @param date YYYY-MM-DD */
function spellingsOf(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-')
  const [m, d] = [String(Number(month)), String(Number(day))]
  const americans = ['/', '-', '.'].flatMap((mark) => [`${month}${mark}${day}${mark}`, `${m}${mark}${d}${mark}`])
  const withYears = americans.flatMap((start) => [start + year, start + year.slice(2)])
  const europeans = [`${day}.${month}.${year}`, `${d}.${m}.${year}`]
  // A number above 12 cannot be a month.
  const dayFirst = Number(day) > 12 ? [`${day}/${month}/${year}`, `${d}/${m}/${year}`] : []
  const compact = [year + month + day, month + day + year]
  return [date, ...withYears, ...europeans, ...dayFirst, ...compact, months[Number(month) - 1] ?? '']
}
