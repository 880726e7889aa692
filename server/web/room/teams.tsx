/** Names the team whose sandbox this is, and leads to those of the others. */
import { useEffect, useState } from 'preact/hooks'
import { addressOf, teamsHere } from '../shared/teams.ts'
import { t } from '../words/words.ts'

export function Teams() {
  const [teams, setTeams] = useState<Awaited<ReturnType<typeof teamsHere>>>([])
  useEffect(() => {
    teamsHere().then(setTeams, () => {})
  }, [])
  if (teams.length === 0) return null
  return (
    <nav class="room-teams" aria-label={t('team.teams')}>
      {teams.map(({ name, port, isThis }) => (
        <a
          key={name}
          href={isThis ? '/sandbox' : addressOf(port, '/sandbox')}
          aria-current={isThis ? 'true' : undefined}
        >
          {t('team.team', { name })}
        </a>
      ))}
    </nav>
  )
}
