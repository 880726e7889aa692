/** Saves an answer as a file: fetched with the session of the console, which a plain link would not name. */
import { send } from '../shared/api.ts'
import { ADMIN } from './admin-api.ts'

export async function saveFile(path: string, name: string): Promise<void> {
  const answer = await send('GET', `${ADMIN}${path}`, null, '')
  const url = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
