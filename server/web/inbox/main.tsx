/** Starts the inbox. */
import { render } from 'preact'
import { WithAccount } from '../shared/account.tsx'
import { Announcements } from '../shared/announce.tsx'
import { Inbox } from './inbox.tsx'
import './list.css'
import './guide.css'
import './desk.css'
import '../pdf/sheet.css'
import './pages.css'
import './dialogs.css'
import '../shared/touch.css'

render(
  <>
    <WithAccount roles={['signer']} place="your inbox">
      {(visitor, isTest, signOut) => <Inbox visitor={visitor} isTest={isTest} signOut={signOut} />}
    </WithAccount>
    <Announcements />
  </>,
  document.getElementById('page')!,
)
