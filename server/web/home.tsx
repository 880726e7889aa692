/**
 * Shows the page in the language of its reader, and the way to the control room where there is one, in a sandbox, and to those of the other
 * teams that share its process.
 */
import { render } from 'preact'
import type { Account } from '../http/callers/account.ts'
import { call, SESSION } from './shared/api.ts'
import { addressOf, teamsHere } from './shared/teams.ts'
import { LanguageChoice } from './words/language-choice.tsx'
import { translatePage } from './words/translate-page.ts'
import { t } from './words/words.ts'

translatePage()
render(<LanguageChoice />, document.querySelector('#language')!)
const { isTest } = await call<Account>('GET', SESSION, undefined, { isUse: false })
document.querySelector('#control-room')?.toggleAttribute('hidden', !isTest)
if (isTest) await showTeams()

async function showTeams(): Promise<void> {
  const [list, teams] = [document.querySelector('main ul'), await teamsHere()]
  for (const { name, port, isThis } of teams) {
    const line = document.createElement('li')
    const link = document.createElement(isThis ? 'strong' : 'a')
    if (link instanceof HTMLAnchorElement) link.href = addressOf(port, '/')
    link.textContent = t('home.team', { name })
    const about = document.createElement('span')
    about.textContent = t(isThis ? 'home.teamHere' : 'home.teamElsewhere')
    line.append(link, ' ', about)
    list?.append(line)
  }
}
