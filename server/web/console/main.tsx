/** Starts the console. */
import { render } from 'preact'
import { WithAccount } from '../shared/account.tsx'
import { Announcements } from '../shared/announce.tsx'
import { Console } from './console.tsx'
import '../pdf/sheet.css'
import './shell.css'
import './console.css'
import './timeline.css'
import './admin.css'
import './template.css'
import '../shared/touch.css'

render(
  <>
    <WithAccount roles={['operator', 'administrator']} place="the console">
      {(visitor, _isTest, signOut) => <Console visitor={visitor} signOut={signOut} />}
    </WithAccount>
    <Announcements />
  </>,
  document.getElementById('page')!,
)
