/** Shows the way to the control room where there is one, in a sandbox, and to those of the other teams that share its process. */
import type { Account } from '../http/callers/account.ts'
import { call, SESSION } from './shared/api.ts'
import { addressOf, teamsHere } from './shared/teams.ts'

const { isTest } = await call<Account>('GET', SESSION, undefined, { isUse: false })
document.querySelector('#control-room')?.toggleAttribute('hidden', !isTest)
if (isTest) await showTeams()

async function showTeams(): Promise<void> {
  const [list, teams] = [document.querySelector('main ul'), await teamsHere()]
  for (const { name, port, isThis } of teams) {
    const line = document.createElement('li')
    const link = document.createElement(isThis ? 'strong' : 'a')
    if (link instanceof HTMLAnchorElement) link.href = addressOf(port, '/')
    link.textContent = `Team ${name}`
    const about = document.createElement('span')
    about.textContent = isThis ? 'This sandbox is theirs.' : 'Their sandbox, with its own clock, keys, and orders.'
    line.append(link, ' ', about)
    list?.append(line)
  }
}
