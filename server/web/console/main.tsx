/** Starts the console. */
import { render } from 'preact'
import { Announcements } from '../shared/announce.tsx'
import { WithAccount } from '../shared/sign-in/with-account.tsx'
import { Console } from './console.tsx'
import '../pdf/sheet.css'
import './shell.css'
import './console.css'
import './home/home.css'
import './find/find.css'
import './tasks/timeline.css'
import './settings/settings.css'
import '../placing/placing.css'
import './templates/templates.css'
import './receivers/receivers.css'
import './instances/instances.css'
import './set-up/set-up.css'
import '../shared/delegation/delegation.css'
import '../shared/touch.css'

render(
  <>
    <WithAccount roles={['operator', 'administrator']} place="console">
      {(visitor, isTest, signOut) => <Console visitor={visitor} isTest={isTest} signOut={signOut} />}
    </WithAccount>
    <Announcements />
  </>,
  document.getElementById('page')!,
)
