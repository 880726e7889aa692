/** The first page of the console: what has to be done, and how much is under way. */
import { useState } from 'preact/hooks'
import type { Desk } from '../../../operations/operator/messages/desk.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { Counts } from '../../../operations/operator/messages/tasks.ts'
import { grouped } from '../../shared/format.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { remind } from '../remind.ts'
import { needInWords } from './need-words.ts'

export function Home({ isOperator }: { isOperator: boolean }) {
  const [desk] = useLive<Desk>('/desk')
  const [counts] = useLive<Counts>('/counts')
  return (
    <ConsolePage title={t('console.home')}>
      {isOperator && <FirstAgency />}
      <section class="panel needs" aria-labelledby="needs">
        <h2 id="needs">{t('start.needsYou')}</h2>
        {!desk && <p class="loading">{t('service.loading')}</p>}
        {desk?.needs.length === 0 && <p class="empty">{t('start.nothing')}</p>}
        {desk && desk.needs.length > 0 && (
          <ul>
            {desk.needs.map((need) => (
              <li key={`${need.kind} ${need.route}`}>
                <a href={`#/${need.route}`}>
                  <GivenText>{needInWords(need)}</GivenText>
                </a>
                {need.remindNpi && <RemindButton npi={need.remindNpi} />}
              </li>
            ))}
          </ul>
        )}
      </section>
      {counts && (
        <section aria-labelledby="now">
          <h2 id="now">{t('start.now')}</h2>
          <ul class="figures">
            {figures(counts).map(([route, number, name]) => (
              <li key={name}>
                <a href={`#/${route}`}>
                  <strong>{grouped(number)}</strong> {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </ConsolePage>
  )
}

/** Shown while no organization may send: a new service has nothing else to do. */
function FirstAgency() {
  const [organizations] = useLive<Organization[]>('/organizations')
  if (!organizations || organizations.some(({ ingestionEnabled }) => ingestionEnabled)) return null
  return (
    <section class="panel" aria-labelledby="first-agency">
      <h2 id="first-agency">{t('setUp.none')}</h2>
      <p>{t('setUp.noneText')}</p>
      <p class="bulk">
        <a class="button primary" href="#/set-up">
          {t('setUp.add')}
        </a>
      </p>
    </section>
  )
}

const figures = (counts: Counts) =>
  [
    ['tasks?status=Processing', counts.ingesting, t('start.receiving')],
    ['tasks?status=Pending', counts.pending, t('start.pending')],
    ['deliveries?state=waiting', counts.deliveriesWaiting, t('start.callbacksWaiting')],
    ['deliveries?state=failed', counts.deliveriesFailed, t('start.callbacksFailed')],
  ] as const

function RemindButton({ npi }: { npi: string }) {
  const [isSent, setSent] = useState(false)
  const send = async () => {
    setSent(true)
    if ((await remind(npi)) === null) setSent(false)
  }
  return (
    <button type="button" class="small" disabled={isSent} onClick={() => void send()}>
      {t('remind.send')}
    </button>
  )
}
