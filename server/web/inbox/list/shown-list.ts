/** The list as the signer looks at it: which documents, in which order, and which comes next. Pure. */
import { searchFor } from '../../../../lib/search.ts'
import type { Waiting } from '../../../operations/signer/messages.ts'

/** The ways in which the list can be sorted. */
export const orders = ['oldest', 'newest', 'byPatient', 'bySender'] as const

export type Order = (typeof orders)[number]

export interface ListView {
  search: string
  /** The signer whose documents are shown; `OWN`: the reader's; null: all. */
  owner: string | null
  order: Order
  /** Tasks that the signer has put off, in that order: they come last. */
  skipped: readonly number[]
}

/** No name is empty. */
export const OWN = ''

export const FIRST_VIEW: ListView = { search: '', owner: null, order: 'oldest', skipped: [] }

/** @param documents the oldest first */
export function shownList(documents: readonly Waiting[], { search, owner, order, skipped }: ListView): Waiting[] {
  const found = documents.filter(searchFor(search)).filter(isOf(owner))
  const sorted = sorters[order](found)
  const putOff = skipped.flatMap((taskId) => sorted.filter((document) => document.taskId === taskId))
  return [...sorted.filter(({ taskId }) => !skipped.includes(taskId)), ...putOff]
}

/** Once the last document of another person is gone, there is nothing left to choose from, and all are shown. */
const isOf = (owner: string | null) => (document: Waiting, _: number, all: readonly Waiting[]) =>
  owner === null || ownersOf(all).length === 0 || (document.onBehalfOf ?? OWN) === owner

/** Returns the names of the signers for whom the reader signs. */
export const ownersOf = (documents: readonly Waiting[]): string[] => [
  ...new Set(documents.flatMap(({ onBehalfOf }) => onBehalfOf ?? [])),
]

const byText = (textOf: (document: Waiting) => string) => (documents: readonly Waiting[]) =>
  documents.toSorted((a, b) => textOf(a).localeCompare(textOf(b)))

const sorters: Readonly<Record<Order, (documents: readonly Waiting[]) => Waiting[]>> = {
  oldest: (documents) => [...documents],
  newest: (documents) => documents.toReversed(),
  // Patients are called by the family name, which is the last word here.
  byPatient: byText(({ patient: { name } }) => `${name.split(' ').at(-1)} ${name}`),
  bySender: byText(({ sender }) => sender),
}

/** Returns the tasks that come after one, in the order of the list: first those below it, then those above. */
export function following(shown: readonly Waiting[], taskId: number): number[] {
  const ids = shown.map((document) => document.taskId)
  const at = ids.indexOf(taskId)
  return [...ids.slice(at + 1), ...ids.slice(0, Math.max(at, 0))]
}
