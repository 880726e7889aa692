/** A search in what the caller has signed or rejected. It is posted, because an address must not name a patient. */
import { searchFor } from '../../../../lib/search.ts'
import { DEFAULT_PAGE_SIZE, SEARCHED_AT_ONCE } from '../../../choices.ts'
import { past } from '../as-shown.ts'
import { type Past, PastFound, PastSearch } from '../messages.ts'
import { type SignerContext, signerRow } from '../signer-context.ts'

export const searchPast = signerRow({
  method: 'post',
  path: '/inbox/api/past/search',
  group: 'Past documents',
  summary: `Search what was signed or rejected; each call looks at ${SEARCHED_AT_ONCE} documents at most`,
  who: ['signer'],
  body: PastSearch,
  responses: { 200: PastFound },
  run: ({ inbox }, { body: { search, before, from, until } }) => {
    const hasWords = searchFor(search)
    const isDuring = ({ at }: Past) => (!from || at >= timeOf(from)) && (!until || at < timeOf(until))
    return findPast(inbox, (document) => isDuring(document) && hasWords(document), before ?? undefined)
  },
})

/** Returns a time as the store writes it. */
const timeOf = (text: string) => new Date(text).toISOString()

/** Few enough for others to have their turn between two of them. */
const READ_AT_ONCE = 250

/** Looks back from a task, or from the newest, until it has found a page or looked at as many as it may. */
export async function findPast(
  inbox: Pick<SignerContext['inbox'], 'past'>,
  isFound: (document: Past) => boolean,
  from: number | undefined,
): Promise<PastFound> {
  const documents: Past[] = []
  let before = from
  for (let left = SEARCHED_AT_ONCE; left > 0; left -= READ_AT_ONCE) {
    const page = (await inbox.past(READ_AT_ONCE, before)).map(past)
    documents.push(...page.filter(isFound))
    if (page.length < READ_AT_ONCE) return { documents, goesOnBefore: null }
    before = page.at(-1)!.taskId
    if (documents.length >= DEFAULT_PAGE_SIZE) break
  }
  return { documents, goesOnBefore: before ?? null }
}
