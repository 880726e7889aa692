/** Starts the inbox. */
import { render } from 'preact'
import { Announcements } from '../shared/announce.tsx'
import { WithAccount } from '../shared/sign-in/with-account.tsx'
import { sweep } from './drafts/draft-shelf.ts'
import { Inbox } from './inbox.tsx'
import './list/list.css'
import './desk/guide/guide.css'
import './desk/desk.css'
import '../pdf/sheet.css'
import './desk/pages.css'
import './dialogs/dialogs.css'
import './drafts/drafts.css'
import './tray/tray.css'
import '../shared/delegation/delegation.css'
import '../shared/touch.css'

// A browser that allows no storage has nothing to sweep.
sweep(Date.now()).catch(() => {})

render(
  <>
    <WithAccount roles={['signer']} place="inbox">
      {(visitor, isTest, signOut) => <Inbox visitor={visitor} isTest={isTest} signOut={signOut} />}
    </WithAccount>
    <Announcements />
  </>,
  document.getElementById('page')!,
)
