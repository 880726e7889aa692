/** Starts the control room of a sandbox. */
import { render } from 'preact'
import { Announcements } from '../shared/announce.tsx'
import { WithAccount } from '../shared/sign-in/with-account.tsx'
import { Room } from './room.tsx'
import './room.css'
import '../shared/touch.css'
import { t } from '../words/words.ts'

render(
  <>
    <WithAccount roles={['operator', 'administrator']} place="console" name={t('room.theRoom')}>
      {(visitor, _isTest, signOut) => <Room visitor={visitor} signOut={signOut} />}
    </WithAccount>
    <Announcements />
  </>,
  document.getElementById('page')!,
)
