/** Finding a task by what a caller says on the phone. The words of a search are never logged, kept, or part of an address. */
import { Npi } from '../../../../lib/contract/primitives.ts'
import { isNamed, readSearch } from '../../../domain/task/search-words.ts'
import { FoundTasks, SearchBody } from '../messages/task-search.ts'
import { isOperator, type OperatorContext, operatorRow, STAFF } from '../operator-context.ts'

export const searchTasks = operatorRow({
  method: 'post',
  path: '/admin/v1/tasks/search',
  group: 'Tasks',
  summary: 'Find tasks by a number or an id, by the patient’s exact family name or birth date, or by the signer',
  who: STAFF,
  body: SearchBody,
  responses: { 200: FoundTasks },
  async run(context, { body: { search } }) {
    const { store, scope, by, at, patientsInLists } = context
    const words = readSearch(search)
    const found = await store.overview(scope).search(words, patientsInLists)
    const signers = await signersLike(context, search)
    const subject = found.byId.length + found.byPatient.length
    await store.audit.append({ action: 'task.search', by, at, organizationId: scope, subject })
    return { ...found, signers }
  },
})

/** An administrator is notified of no signer: the directory is the operator's. */
async function signersLike(context: OperatorContext, search: string) {
  if (!isOperator(context)) return []
  const npi = Npi.safeParse(search.trim()).data
  const found = (await context.store.providers.list()).filter(({ npi: own, firstName, lastName, signingName }) =>
    npi === undefined ? isNamed([firstName, lastName, signingName], search) : own === npi,
  )
  return found.slice(0, MOST_SIGNERS).map(({ npi, signingName, isActive }) => ({ npi, signingName, isActive }))
}

const MOST_SIGNERS = 20
