/** The links to the parts of the inbox. The tray is named while there is something in it. */
import { t } from '../words/words.ts'

interface InboxNavProps {
  route: string
  /** How many documents wait; null until that is known. */
  waiting: number | null
  inTray: number
}

export const InboxNav = ({ route, waiting, inTray }: InboxNavProps) => (
  <nav aria-label={t('inbox.is')}>
    <a href="#/" aria-current={route === '' ? 'page' : undefined}>
      {t('inbox.is')} {waiting !== null && <span class="count">{waiting}</span>}
    </a>
    {(inTray > 0 || route === 'tray') && (
      <a href="#/tray" aria-current={route === 'tray' ? 'page' : undefined}>
        {t('inbox.tray')} <span class="count">{inTray}</span>
      </a>
    )}
    <a href="#/signed" aria-current={route.startsWith('signed') ? 'page' : undefined}>
      {t('inbox.signed')}
    </a>
    <a href="#/notices" aria-current={route === 'notices' ? 'page' : undefined}>
      {t('inbox.email')}
    </a>
    <a href="#/delegation" aria-current={route === 'delegation' ? 'page' : undefined}>
      {t('inbox.delegation')}
    </a>
    <a href="/verify">{t('inbox.verify')}</a>
  </nav>
)
