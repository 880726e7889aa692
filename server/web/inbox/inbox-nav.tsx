/** The links to the parts of the inbox. The tray is named while there is something in it. */
interface InboxNavProps {
  route: string
  /** How many documents wait; null until that is known. */
  waiting: number | null
  inTray: number
}

export const InboxNav = ({ route, waiting, inTray }: InboxNavProps) => (
  <nav aria-label="Inbox">
    <a href="#/" aria-current={route === '' ? 'page' : undefined}>
      Inbox {waiting !== null && <span class="count">{waiting}</span>}
    </a>
    {(inTray > 0 || route === 'tray') && (
      <a href="#/tray" aria-current={route === 'tray' ? 'page' : undefined}>
        Tray <span class="count">{inTray}</span>
      </a>
    )}
    <a href="#/signed" aria-current={route.startsWith('signed') ? 'page' : undefined}>
      Signed
    </a>
    <a href="#/notices" aria-current={route === 'notices' ? 'page' : undefined}>
      E-mail
    </a>
    <a href="#/delegation" aria-current={route === 'delegation' ? 'page' : undefined}>
      Delegation
    </a>
    <a href="/verify">Verify</a>
  </nav>
)
