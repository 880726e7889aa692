/** Saves a list of tasks as a file: fetched with the session of the console, which a plain link would not name. */
import { send } from '../../shared/api.ts'
import { ADMIN } from '../admin-api.ts'

export async function saveCsv(query: URLSearchParams): Promise<void> {
  const answer = await send('GET', `${ADMIN}/tasks/export?${query}`, null, '')
  const url = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: 'tasks.csv' })
  link.click()
  URL.revokeObjectURL(url)
}
