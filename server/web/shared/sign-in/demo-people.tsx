/** The people of a sandbox: a visitor may sign in as any of them. */
import type { Account } from '../../../http/callers/account.ts'
import { t } from '../../words/words.ts'
import { Icon } from '../icon.tsx'

interface DemoPeopleProps {
  people: Account['demoPeople']
  isBusy: boolean
  onChoose(personId: number): void
}

export const DemoPeople = ({ people, isBusy, onChoose }: DemoPeopleProps) => (
  <section class="demo-people" aria-labelledby="demo-people">
    <h2 id="demo-people">{t('sandbox.signInAs')}</h2>
    <ul>
      {people.map(({ id, name, actsAlone }) => (
        <li key={id}>
          <button type="button" disabled={isBusy} onClick={() => onChoose(id)}>
            <Icon name="pen" />
            <span>
              {name}
              {actsAlone && <small> {t('sandbox.actsAlone')}</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)
